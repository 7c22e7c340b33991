/* Starts the islands: an element with data-island="NAME" gets the default export of islands/NAME.js.
   A module is loaded only when a page needs it. Content that htmx brings in is mounted as well. */
import { csrfToken } from "./lib/http.js";
import { listen } from "./lib/keys.js";

const NAME = /^[a-z][a-z0-9-]*$/;
const mounted = new WeakSet();

async function mount(element) {
  const name = element.dataset.island;
  if (mounted.has(element) || !NAME.test(name)) return;
  mounted.add(element);
  try {
    const island = await import(`./islands/${name}.js`);
    island.default(element);
  } catch (error) {
    console.error(`island ${name} did not start`, error);
  }
}

/** Resolves when every island in `root` has started (or failed to). */
function mountAll(root) {
  const found = [...root.querySelectorAll("[data-island]")];
  if (root instanceof Element && root.matches("[data-island]")) found.push(root);
  return Promise.all(found.map(mount));
}

listen(document);
document.addEventListener("htmx:load", (event) => mountAll(event.detail.elt));
document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrfToken();
});
// Says that clicks and keys now do what they promise; not earlier, since islands load one by one.
mountAll(document).then(() => {
  document.documentElement.dataset.ready = "true";
});
