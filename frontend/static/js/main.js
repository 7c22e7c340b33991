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

function mountAll(root) {
  if (root instanceof Element && root.matches("[data-island]")) mount(root);
  root.querySelectorAll("[data-island]").forEach(mount);
}

mountAll(document);
listen(document);
document.addEventListener("htmx:load", (event) => mountAll(event.detail.elt));
document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrfToken();
});
document.documentElement.dataset.ready = "true";
