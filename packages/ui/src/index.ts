export { type Html, html, raw, render, renderSync } from "./html.ts";
export { logo } from "./logo.ts";
export { stylesheets } from "./stylesheets.ts";
