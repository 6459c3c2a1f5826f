import type { ApiError } from "../../../http/api-error.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";

/** `back` leads to the page whose form was refused, or to another that works; a link that is wrong in itself leads nowhere. */
export function errorPage(
  { code, message, status }: ApiError,
  requestId: string,
  back: string | undefined,
): Page {
  const title = status === 429 ? "Please wait" : back ? "That did not work" : "This link cannot be used";
  return {
    title,
    content: html`
<h1>${title}</h1>
<p role="alert">${message}</p>
${
  back
    ? html`<p><a href="${back}">Back to the page</a></p>`
    : html`<p>The app that sent you here made a mistake. Go back to it and try again; if that does not help, tell the
people who make it what it says here.</p>`
}
<p class="quiet">${code}, request ${requestId}</p>`,
  };
}
