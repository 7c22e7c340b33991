/* Says a sentence to screen readers through the one live region of the page. */

let timer;

/** `words` are already in the reader's language. The same words said twice are read twice. */
export function announce(words) {
  const region = document.getElementById("announcer");
  if (!region) return;
  region.textContent = "";
  clearTimeout(timer);
  timer = setTimeout(() => {
    region.textContent = words;
  }, 60);
}
