import { type Html, html } from "./html.ts";

/** Parley's logo, in the accent color. */
export const logo: Html = html`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-8l-5 4.5V17H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zm3 5v2h10V8zm0 4v2h6v-2z"/></svg>`;
