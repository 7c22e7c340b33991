/* Keys of the focus page: 0–5, N, U, M, E, Enter, ?, and G then a letter for a dimension. */
import { shortcut } from "./keys.js";

const DIMENSIONS = { r: "REL", o: "OBS", c: "RCV", e: "EVO", s: "SEC", f: "COST" };

export function answerKeys({ choose, leave, form }) {
  for (let level = 0; level <= 5; level += 1) shortcut(String(level), () => choose(String(level)));
  shortcut("n", () => {
    choose("na");
    document.getElementById("na-reason").focus();
  });
  shortcut("u", () => choose("unsure"));
  shortcut("m", () => form.elements.note.focus());
  shortcut("e", () => {
    const details = document.getElementById("evidence-add");
    if (!details) return false;
    details.open = true;
    details.querySelector("select, input:not([type=hidden])")?.focus();
    return true;
  });
  shortcut("Enter", (event) => {
    if (event.target instanceof Element && event.target.closest("a, button, summary, input[type=checkbox]")) return false;
    leave(form.dataset.done);
    return true;
  });
  shortcut("?", () => document.getElementById("keys-dialog")?.showModal());
  for (const [letter, code] of Object.entries(DIMENSIONS)) {
    shortcut(`g ${letter}`, () => {
      const link = [...document.querySelectorAll(".rail__link")].find((each) => each.href.includes(`/q/${code}-`));
      if (link) leave(link.href);
    });
  }
}
