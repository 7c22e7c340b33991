/* Ctrl/⌘ K: type a part of a name, choose with the arrows, open with Enter. */
import { composing, shortcut } from "../lib/keys.js";

/** Full- and half-width forms and case do not matter; Chinese has no case but has both widths. */
const folded = (words) => words.normalize("NFKC").toLocaleLowerCase();

export default function palette(dialog) {
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("[role=listbox]");
  const none = dialog.querySelector(".palette__none");
  const template = dialog.querySelector("template[data-page-command]");
  let chosen = null;

  const shown = () => [...list.children].filter((option) => !option.hidden);

  function choose(option) {
    chosen?.setAttribute("aria-selected", "false");
    chosen = option ?? null;
    chosen?.setAttribute("aria-selected", "true");
    chosen?.scrollIntoView({ block: "nearest" });
    if (chosen) input.setAttribute("aria-activedescendant", chosen.id);
    else input.removeAttribute("aria-activedescendant");
  }

  function filter() {
    const words = folded(input.value).split(/\s+/).filter(Boolean);
    for (const option of list.children) {
      const text = folded(option.textContent);
      option.hidden = !words.every((word) => text.includes(word));
    }
    const left = shown();
    none.hidden = left.length > 0;
    list.hidden = left.length === 0;
    choose(left[0]);
  }

  function collectPageCommands() {
    list.querySelectorAll("[data-of-page]").forEach((option) => option.remove());
    document.querySelectorAll("a[data-palette]").forEach((link, index) => {
      const option = template.content.firstElementChild.cloneNode(true);
      option.id = `palette-page-${index}`;
      option.dataset.ofPage = "";
      option.dataset.url = link.href;
      option.querySelector("[data-words]").textContent = link.dataset.palette || link.textContent.trim();
      list.append(option);
    });
  }

  function open() {
    if (dialog.open) return;
    collectPageCommands();
    input.value = "";
    filter();
    dialog.showModal();
    input.focus();
  }

  function go(option) {
    if (!option) return;
    dialog.close();
    location.assign(option.dataset.url);
  }

  function move(step) {
    const options = shown();
    if (options.length) choose(options[(options.indexOf(chosen) + step + options.length) % options.length]);
  }

  input.addEventListener("input", filter);
  input.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) move(steps[event.key]);
    else if (event.key === "Enter") go(chosen);
    else return;
    event.preventDefault();
  });
  list.addEventListener("pointermove", (event) => choose(event.target.closest("[role=option]") ?? chosen));
  list.addEventListener("click", (event) => go(event.target.closest("[role=option]")));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-opens=palette]")) open();
  });
  shortcut("mod+k", () => (dialog.open ? dialog.close() : open()));
}
