/* What this browser keeps between visits. Storage may be full or forbidden: then nothing is kept, nothing breaks. */

const PREFIX = "ballast:";

/** The value kept under `name`, or `missing`. */
export function load(name, missing = null) {
  try {
    const raw = localStorage.getItem(PREFIX + name);
    return raw === null ? missing : JSON.parse(raw);
  } catch {
    return missing;
  }
}

/** Keeps any JSON value; false when the browser would not. */
export function save(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    /* nothing was kept */
  }
}

/** Names of everything kept whose name starts so. */
export function names(start = "") {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + start))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** A cookie the server reads on the next page, for a year. */
export function setCookie(name, value) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
