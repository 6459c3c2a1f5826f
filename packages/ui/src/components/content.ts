import { attributes, type Content, type Html, html } from "../html.ts";

/**
 * Renders an error. Screen readers read it immediately.
 *
 * @param id for inputs that the alert describes
 */
export function alert(text: Content, id?: string): Html {
  return html`<p class="alert" role="alert"${attributes({ id })}>${text}</p>`;
}

/** Renders a confirmation. Screen readers read it when they finish the current sentence. */
export function notice(text: Content): Html {
  return html`<p class="notice" role="status">${text}</p>`;
}

/** Renders a warning about something that is part of the page, not the result of an action. */
export function warning(text: Content): Html {
  return html`<p class="warning">${text}</p>`;
}

interface Card {
  /** ID of the title, unique in the page. */
  id: string;
  title: Content;
  content: Content;
}

/**
 * Renders a section with a border.
 *
 * @example
 * card({ id: "secrets", title: "Secrets", content: html`<p>The app has no valid secret.</p>` });
 */
export function card({ id, title, content }: Card): Html {
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;
}

/** Renders a list of cards. Their titles need an ID only if other elements refer to them. */
export function cardList(cards: (Omit<Card, "id"> & { id?: string })[]): Html {
  return html`<ul class="cards">${cards.map(
    ({ id, title, content }) => html`
<li class="card">
<h2${attributes({ id })}>${title}</h2>
${content}
</li>`,
  )}</ul>`;
}

/** Renders a card for a secret that is shown only once. A click selects the whole secret. */
export function secretBox({ id, title, secret }: { id: string; title: string; secret: string }): Html {
  return html`<section class="card secret" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p><code>${secret}</code></p>
<p>Copy it now. It is not shown again.</p>
</section>`;
}

/**
 * Renders pairs of a term and its details.
 *
 * @example
 * descriptionList([["Client ID", html`<code>parley_ci_1</code>`], ["Type", "Server app"]]);
 */
export function descriptionList(entries: [term: string, details: Content][]): Html {
  return html`<dl class="descriptions">${entries.map(
    ([term, details]) => html`\n<div><dt>${term}</dt><dd>${details}</dd></div>`,
  )}
</dl>`;
}

/**
 * Renders a list in which each item has a check mark.
 *
 * @param labelledBy ID of the element that introduces the list
 */
export function checkList(items: Content[], labelledBy: string): Html {
  return html`<ul class="checks" aria-labelledby="${labelledBy}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/**
 * Renders navigation between pages.
 *
 * @param label name of the navigation for screen readers
 * @param links texts by address
 * @param current address of the current page
 */
export function tabs(label: string, links: Record<string, string>, current: string): Html {
  return html`<nav class="tabs" aria-label="${label}">${Object.entries(links).map(
    ([href, text]) => html`<a${attributes({ href, "aria-current": href === current && "page" })}>${text}</a>`,
  )}</nav>`;
}

/** Renders a short state, for example `Active`. The color repeats what the text says. */
export function badge(text: string, kind: "neutral" | "good" | "warning" | "alert" = "neutral"): Html {
  return html`<span class="badge ${kind}">${text}</span>`;
}

/**
 * Renders a table that scrolls horizontally if it is wider than its container.
 *
 * @param options.hidesCaption whether only screen readers get the caption, because a heading says the same
 * @example
 * table("Scopes", ["Scope", "Meaning"], [[html`<code>leads:read</code>`, "Read qualification leads"]]);
 */
export function table(
  caption: string,
  columns: string[],
  rows: Content[][],
  { hidesCaption = false }: { hidesCaption?: boolean } = {},
): Html {
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption${attributes({ class: hidesCaption && "for-screen-readers" })}>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table>
</div>`;
}

/** Renders lines of code, which scroll horizontally if they are too long. */
export function codeBlock(code: Content): Html {
  return html`<pre class="code" tabindex="0"><code>${code}</code></pre>`;
}

/** Renders the text for a list without items: what is missing, and how it gets there. */
export function emptyState(text: Content): Html {
  return html`<p class="empty">${text}</p>`;
}
