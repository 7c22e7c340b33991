/* The page's shortcuts. A combination is "mod+k" (Ctrl or ⌘), "shift+x", "?", "3", "Enter" or a sequence "g r".
   Single keys stay silent in text fields, while an input method composes, with modifiers held, while a dialog
   is open, and where the person has switched them off (body data-single-key="off"). */

const shortcuts = new Map();
let prefix = "";

/** Registers `run(event)` for a combination; returns a function that takes it away again. */
export function shortcut(combination, run) {
  shortcuts.set(combination, run);
  return () => {
    if (shortcuts.get(combination) === run) shortcuts.delete(combination);
  };
}

const TYPED = new Set(["text", "search", "email", "password", "url", "tel", "number", "date", "time", "datetime-local", "month", "week"]);

/** Whether keys typed into this element are text. */
export function takesText(element) {
  if (!(element instanceof Element)) return false;
  if (element.closest("[contenteditable]:not([contenteditable=false])")) return true;
  if (element.matches("textarea, select")) return true;
  return element instanceof HTMLInputElement && TYPED.has(element.type);
}

/** Whether an input method is composing: its Enter and digits are not ours. */
export const composing = (event) => event.isComposing || event.keyCode === 229;

/** The event as a combination. Shift is part of the character ("?") unless the key is a letter or a name. */
export function combination(event) {
  const mod = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shifted = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
  return `${mod ? "mod+" : ""}${event.altKey ? "alt+" : ""}${shifted ? "shift+" : ""}${key}`;
}

function singleAllowed(event) {
  return (
    document.body.dataset.singleKey !== "off" &&
    !takesText(event.target) &&
    !document.querySelector("dialog[open]") &&
    !(event.target instanceof Element && event.target.closest("[role=listbox], [role=menu], [role=grid]"))
  );
}

function isPrefix(key) {
  return [...shortcuts.keys()].some((name) => name.startsWith(`${key} `));
}

function handle(event) {
  if (event.defaultPrevented || composing(event) || ["Control", "Shift", "Alt", "Meta"].includes(event.key)) return;
  const key = combination(event);
  const modified = key.startsWith("mod+") || key.startsWith("alt+");
  if (!modified && !singleAllowed(event)) return;
  const full = prefix ? `${prefix} ${key}` : key;
  const run = shortcuts.get(full) ?? shortcuts.get(key);
  const wasPrefix = prefix;
  prefix = !modified && !wasPrefix && isPrefix(key) && !shortcuts.has(key) ? key : "";
  if (run && run(event) !== false) event.preventDefault();
}

/** Starts listening; called once by main.js. */
export function listen(target) {
  target.addEventListener("keydown", handle);
}
