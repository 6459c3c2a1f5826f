import { html } from "@parley/ui";
import type { Page } from "../../oauth/pages/page.ts";

/** Renders the page for a link that is used, expired or unknown. It does not reveal which. */
export function invalidLinkPage(): Page {
  const title = "This link is no longer valid";
  return {
    title,
    content: html`
<h1>${title}</h1>
<p>A link to the console works only once, and for a few minutes. Open the console from your platform again.</p>`,
  };
}
