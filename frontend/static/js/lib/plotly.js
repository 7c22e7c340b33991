/* Loads Plotly once, and only on pages that draw with it. */

let loading;

/** Plotly's map code adds a sheet of its own unless an element with this id exists; we draw no maps. */
const MAP_SHEET = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

/** Resolves to Plotly. The sheet comes first: Plotly writes its rules into it, since it may not make its own. */
export function plotly(source, sheet) {
  loading ??= new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.id = "plotly.js-style-global";
    link.href = sheet;
    const script = document.createElement("script");
    script.src = source;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error(`${source} could not be loaded`));
    link.onload = () => document.head.append(script);
    link.onerror = script.onerror;
    const placeholder = document.createElement("meta");
    placeholder.id = MAP_SHEET;
    document.head.append(placeholder, link);
  });
  return loading;
}
