/* Two kinds: <details class="menu"> closes on Escape, outside clicks and when the focus leaves;
   a button with aria-controls opens and closes the side bar on narrow pages. */

function disclosure(details) {
  const summary = details.querySelector("summary");
  document.addEventListener("click", (event) => {
    if (details.open && !details.contains(event.target)) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    details.open = false;
    summary.focus();
  });
  details.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !details.contains(event.relatedTarget)) details.open = false;
  });
}

function toggle(button) {
  const panel = document.getElementById(button.getAttribute("aria-controls"));
  const set = (open) => {
    button.setAttribute("aria-expanded", String(open));
    panel.toggleAttribute("data-open", open);
  };
  button.addEventListener("click", () => set(button.getAttribute("aria-expanded") !== "true"));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && button.getAttribute("aria-expanded") === "true") {
      set(false);
      button.focus();
    }
  });
}

export default function menu(element) {
  if (element.tagName === "DETAILS") disclosure(element);
  else toggle(element);
}
