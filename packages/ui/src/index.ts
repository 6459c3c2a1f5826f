export { type Html, html, raw } from "./html.ts";
export { logo } from "./logo.ts";
export { stylesheets } from "./stylesheets.ts";
