/* Draws the figure that the server built, when it comes near the screen, and again when the theme changes. */
import { themed } from "../lib/colours.js";
import { plotly } from "../lib/plotly.js";

export default function plot(element) {
  const figure = JSON.parse(document.getElementById(element.dataset.figure).textContent);
  let drawn = false;

  async function draw() {
    try {
      const Plotly = await plotly(element.dataset.plotly, element.dataset.plotlySheet);
      const { data, layout, config } = themed(figure);
      await Plotly.react(element, data, layout, config);
      drawn = true;
      element.dataset.drawn = "true";
    } catch (error) {
      console.error(error);
      element.textContent = element.dataset.failed;
    }
  }

  const redraw = () => {
    if (drawn) draw();
  };
  document.addEventListener("ballast:theme", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    draw();
  }, { rootMargin: "300px" });
  seen.observe(element);
}
