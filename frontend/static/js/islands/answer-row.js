/* One row of the list: choosing a level saves it at once. */
import { Saver, slot } from "../lib/autosave.js";
import { teller } from "../lib/savestate.js";

export default function answerRow(row) {
  if (row.dataset.readonly === "1") return;
  const data = JSON.parse(row.querySelector("script[type='application/json']").textContent);
  const say = teller(row.querySelector(".save"), row.querySelector(".answer-row__banner"), () => saver);
  const saver = new Saver({
    name: slot(row.dataset.user, data.assessment, data.practice),
    url: data.answerUrl,
    practice: data.practice,
    version: data.version,
    tell(state, detail) {
      say(state, detail);
      if (state === "saved") {
        row.querySelector("[data-role=ceiling]").textContent = detail.score?.current ?? "—";
        ({ note, confidence } = detail.answer);
      }
    },
  });
  let note = data.note ?? "";
  let confidence = data.confidence ?? null;
  row.addEventListener("change", (event) => {
    const { value } = event.target;
    saver.change(value === "unsure" ? { unsure: true, note } : { level: Number(value), confidence, note });
  });
  if (saver.pending) {
    saver.version = saver.pending.version;
    saver.flush();
  }
}
