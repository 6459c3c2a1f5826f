import { type Html, html } from "@parley/ui";

const mostCharacters = 80;

/** Returns a URL with at most 80 characters: its beginning and, after an ellipsis, its end. */
export function shortUrl(url: string): string {
  return url.length <= mostCharacters ? url : `${url.slice(0, 55)}…${url.slice(-24)}`;
}

/** Renders a link to a subscription, with its URL as the text. */
export function urlLink(address: string, url: string): Html {
  return html`<a class="breakable" href="${address}" title="${url}">${shortUrl(url)}</a>`;
}
