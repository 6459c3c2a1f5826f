import { alert, type Html, html } from "@parley/ui";
import type { ApiError } from "../../../http/api-error.ts";
import type { Page } from "./page.ts";

/** Title and content of a page that shows only a message. */
export interface Message {
  title: string;
  content: Html;
}

/** Renders a page with only a message. */
export function messagePage({ title, content }: Message): Page {
  return { title, content: html`<h1>${title}</h1>${content}` };
}

/**
 * Returns the message about an error.
 *
 * @param requestId shown so that the user can report it
 * @param back address of the "Back" link; undefined for no link
 */
export function errorMessage(
  { code, message, status }: ApiError,
  requestId: string,
  back: string | undefined,
): Message {
  const title = status === 429 ? "Please wait" : back ? "Something went wrong" : "This link is not valid";
  return {
    title,
    content: html`
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
