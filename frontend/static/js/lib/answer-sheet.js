/* The answer as the page shows it: level radios, clause boxes, N/A, don't know, note; and as the draft that is sent. */
import { words } from "./savestate.js";

export class Sheet {
  constructor(form, data) {
    this.form = form;
    this.data = data;
    this.boxes = [...form.querySelectorAll("input[name=clause]")];
    this.radios = [...form.querySelectorAll("input[name=answer]")];
    this.steps = [...form.querySelectorAll("input[name=confidence]")];
    this.sureness = document.getElementById("sureness");
    this.more = document.getElementById("na-more");
    this.levels = new Map(data.clauses.map((clause) => [clause.id, clause.level]));
  }

  get value() {
    return this.radios.find((radio) => radio.checked)?.value ?? null;
  }

  /** The highest level whose clauses, and those of all levels below, are ticked. */
  level() {
    let reached = 0;
    for (let level = 1; level <= 5; level += 1) {
      const own = this.boxes.filter((box) => this.levels.get(box.value) === level);
      if (!own.length || own.some((box) => !box.checked)) break;
      reached = level;
    }
    return reached;
  }

  check(value) {
    for (const radio of this.radios) radio.checked = radio.value === value;
    this.more.hidden = value !== "na";
    this.sureness.hidden = value === "na" || value === "unsure";
  }

  /** A key or a radio: a level ticks every clause up to it. */
  choose(value) {
    this.check(value);
    if (/^[0-5]$/.test(value)) {
      for (const box of this.boxes) box.checked = this.levels.get(box.value) <= Number(value);
    }
  }

  /** Brings the rest in line with the element that was changed. */
  follow(element) {
    if (element.name === "clause") this.check(String(this.level()));
    else if (element.name === "answer") this.choose(element.value);
  }

  /** What is sent; null while "not applicable" still wants its reason. */
  draft() {
    const note = this.form.elements.note.value;
    const value = this.value;
    if (value === "na") {
      const reason = this.form.elements.na_reason.value;
      const text = this.form.elements.na_text.value.trim();
      if (!reason || (reason === "other" && !text)) return null;
      return { na_reason: reason, na_text: text, note };
    }
    if (value === "unsure") return { unsure: true, note };
    if (value === null) return { cleared: true, note };
    const step = this.steps.find((radio) => radio.checked)?.value;
    const confidence = step ? Number(step) : null;
    if (this.data.worded) {
      return { clauses: this.boxes.filter((box) => box.checked).map((box) => box.value), confidence, note };
    }
    return { level: Number(value), confidence, note };
  }

  askForReason() {
    const line = document.getElementById("save");
    line.dataset.save = "saving";
    line.textContent = words("chooseReason");
  }

  /** Shows a draft that an earlier visit left on this device. */
  restore(draft) {
    this.form.elements.note.value = draft.note ?? "";
    for (const radio of this.steps) radio.checked = Number(radio.value) === draft.confidence;
    if (draft.na_reason) {
      this.form.elements.na_reason.value = draft.na_reason;
      this.form.elements.na_text.value = draft.na_text ?? "";
      this.check("na");
    } else if (draft.unsure) this.check("unsure");
    else if (draft.clauses) {
      for (const box of this.boxes) box.checked = draft.clauses.includes(box.value);
      this.check(String(this.level()));
    } else if (draft.level !== undefined) this.check(String(draft.level));
  }

  freeze() {
    for (const element of this.form.elements) {
      if (element.tagName !== "BUTTON") element.disabled = true;
    }
  }

  /** What deserves a second look, after every saved answer. */
  warn(warnings) {
    const card = document.getElementById("xray");
    if (!card) return;
    card.hidden = !warnings.length;
    const lines = warnings.map(({ text }) => {
      const line = document.createElement("li");
      line.textContent = text;
      return line;
    });
    card.querySelector("ul").replaceChildren(...lines);
  }

  /** Progress, claim and rail after a saved answer. */
  show({ score, progress, answer, warnings }) {
    this.warn(warnings ?? []);
    const claim = document.querySelector("#claim .claim__line");
    if (claim && score) {
      const template = document.getElementById("claim").dataset.words;
      claim.textContent =
        score.state === "answered"
          ? template.replace("{claimed}", score.claimed).replace("{ceiling}", score.ceiling)
          : words("none");
    }
    const box = document.getElementById("progress");
    if (box && progress) {
      const na = progress.not_applicable;
      const left = progress.applicable - progress.answered - progress.unsure;
      box.querySelector("progress").value = progress.answered + na;
      box.querySelector("p").textContent = box.dataset.words
        .replace("{answered}", progress.answered)
        .replace("{unsure}", progress.unsure)
        .replace("{na}", na)
        .replace("{left}", left);
    }
    const link = document.querySelector(".rail__link[aria-current]");
    if (link && score && answer) {
      link.className = `rail__link rail__link--${score.state}`;
      const hidden = link.querySelector(".visually-hidden");
      const sign = { na: "–", unsure: "?", unanswered: "" }[score.state] ?? score.claimed;
      link.replaceChildren(hidden, String(sign));
    }
  }
}
