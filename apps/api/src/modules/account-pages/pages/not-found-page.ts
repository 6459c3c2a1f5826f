import { html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { clientsAddress } from "../addresses.ts";

/** The same for what never was and for what is another organization's. */
export function notFoundPage(): Page {
  const title = "Nothing is here";
  return {
    title,
    content: html`
<h1>${title}</h1>
<p>Your organization has no such app. Perhaps it was deleted.</p>
<p><a href="${clientsAddress}">Your organization’s apps</a></p>`,
  };
}
