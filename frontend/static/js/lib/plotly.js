/* Loads Plotly once, and only on pages that draw with it. */

let loading;

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
    document.head.append(link);
  });
  return loading;
}
