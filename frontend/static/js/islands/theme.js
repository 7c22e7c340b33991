/* Light, dark, or like the system. The cookie lets the server send the next page in the right colours. */
import { setCookie } from "../lib/store.js";

const THEMES = ["light", "dark", "auto"];

function show(theme) {
  document.documentElement.dataset.theme = theme;
  document.querySelectorAll("[data-island=theme] button").forEach((button) => {
    button.setAttribute("aria-pressed", String(button.value === theme));
  });
  document.dispatchEvent(new CustomEvent("ballast:theme", { detail: theme }));
}

export default function theme(element) {
  element.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !THEMES.includes(button.value)) return;
    setCookie("theme", button.value);
    show(button.value);
  });
}
