/* Turns the colour references of a figure ("var(--accent)") into what they are in the current theme. */

let probe;

/** The computed value of a CSS colour or font reference. */
function resolved(value) {
  if (!probe) {
    probe = document.createElement("span");
    probe.hidden = true;
    document.body.append(probe);
  }
  if (value.startsWith("var(--font")) {
    probe.style.fontFamily = value;
    return getComputedStyle(probe).fontFamily;
  }
  probe.style.color = "";
  probe.style.color = value;
  return getComputedStyle(probe).color;
}

/** A copy of any JSON value with every string of the form var(--name) resolved. */
export function themed(value) {
  if (typeof value === "string") return value.startsWith("var(--") ? resolved(value) : value;
  if (Array.isArray(value)) return value.map(themed);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, themed(inner)]));
  }
  return value;
}
