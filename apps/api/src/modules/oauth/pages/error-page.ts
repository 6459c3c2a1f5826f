import { alert, html } from "@parley/ui";
import type { ApiError } from "../../../http/api-error.ts";
import type { Page } from "./page.ts";

/**
 * Renders an error page.
 *
 * @param requestId shown so that the user can report it
 * @param back address of the "Back" link; undefined for no link
 */
export function errorPage(
  { code, message, status }: ApiError,
  requestId: string,
  back: string | undefined,
): Page {
  const title = status === 429 ? "Please wait" : back ? "Something went wrong" : "This link is not valid";
  return {
    title,
    content: html`
<h1>${title}</h1>
${alert(message)}
${
  back
    ? html`<p><a href="${back}">Back to the page</a></p>`
    : html`<p>The app that sent you here sent an invalid request. Go back to the app and try again. If the error remains, send this message to
the app's developer.</p>`
}
<p class="quiet">Error ${code}, request ID ${requestId}</p>`,
  };
}
