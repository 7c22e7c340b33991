/* The focus page of one practice: clauses and level follow each other, every change is saved at once. */
import { shortcut } from "../lib/keys.js";
import { leftovers, Saver, slot } from "../lib/autosave.js";
import { answerKeys } from "../lib/answer-keys.js";
import { Sheet } from "../lib/answer-sheet.js";
import { teller, words } from "../lib/savestate.js";

const NOTE_PAUSE = 600;

/** Sends what earlier pages could not, and says so when it still cannot be sent. */
function sendLeftovers(user, assessment, except, banner) {
  for (const item of leftovers(user, assessment, except)) {
    const saver = new Saver({
      name: item.slot,
      url: item.url,
      practice: item.practice,
      version: item.version,
      tell(state) {
        if (!["conflict", "failed"].includes(state)) return;
        const link = document.createElement("a");
        link.href = location.href.replace(/[^/]+$/, item.practice);
        link.textContent = words("open");
        banner.className = "banner banner--warn";
        banner.replaceChildren(words("otherFailed", { practice: item.practice }), " ", link);
        banner.hidden = false;
      },
    });
    saver.flush();
  }
}

export default function answer(form) {
  const data = JSON.parse(document.getElementById("answer-data").textContent);
  const banner = document.getElementById("answer-banner");
  const sheet = new Sheet(form, data);
  const name = slot(form.dataset.user, data.assessment, data.practice);
  const readonly = form.dataset.readonly === "1";
  const say = teller(document.getElementById("save"), banner, () => saver);
  const saver = new Saver({
    name,
    url: data.answerUrl,
    practice: data.practice,
    version: data.version,
    tell(state, detail) {
      say(state, detail);
      if (state === "saved") sheet.show(detail);
    },
  });

  function changed() {
    if (readonly) return;
    const draft = sheet.draft();
    if (draft) saver.change(draft);
    else sheet.askForReason();
  }

  async function leave(url) {
    if (!url) return;
    clearTimeout(noteTimer);
    if (noteDirty) changed();
    await saver.settled(2000);
    location.assign(url);
  }

  let noteTimer;
  let noteDirty = false;
  form.addEventListener("change", (event) => {
    if (event.target.name === "note") return;
    sheet.follow(event.target);
    changed();
  });
  form.elements.note.addEventListener("input", () => {
    noteDirty = true;
    clearTimeout(noteTimer);
    noteTimer = setTimeout(() => {
      noteDirty = false;
      changed();
    }, NOTE_PAUSE);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    leave(form.dataset.done);
  });
  window.addEventListener("pagehide", () => {
    if (noteDirty) changed();
  });
  window.addEventListener("beforeunload", (event) => {
    if (saver.blocked && saver.pending) event.preventDefault();
  });

  if (readonly) sheet.freeze();
  else {
    answerKeys({
      choose(value) {
        sheet.choose(value);
        changed();
      },
      leave,
      form,
    });
    if (saver.pending) {
      sheet.restore(saver.pending.draft);
      saver.version = saver.pending.version;
      saver.flush();
    }
    sendLeftovers(form.dataset.user, data.assessment, name, banner);
  }
  shortcut("j", () => leave(form.dataset.next));
  shortcut("k", () => leave(form.dataset.previous));
  shortcut("v", () => leave(form.dataset.list));
}
