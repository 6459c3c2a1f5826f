import { attributes, type Content, type Html, html } from "../html.ts";

interface Figure {
  label: string;
  value: Content;
  /** Explanation below the value. */
  hint?: Content;
}

/**
 * Renders important numbers, each with a label.
 *
 * @example
 * figures([{ label: "Delivered", value: "99.2 %", hint: "in 24 hours" }]);
 */
export function figures(items: Figure[]): Html {
  return html`<dl class="figures">${items.map(
    ({ label, value, hint }) =>
      html`\n<div><dt>${label}</dt><dd>${value}</dd>${hint !== undefined && html`<dd class="hint">${hint}</dd>`}</div>`,
  )}
</dl>`;
}

/**
 * Renders a form of filters, which requests the same page with a query.
 *
 * @param label name of the form for screen readers
 * @param clear address of the page without filters
 */
export function filterForm({ label, clear }: { label: string; clear: string }, fields: Content[]): Html {
  return html`<form class="filters" method="get" role="search" aria-label="${label}">
${fields}
<div class="buttons"><button class="button secondary">Apply</button><a class="button link" href="${clear}">Clear</a></div>
</form>`;
}

/** Renders the links to the next pages of a list, newest first. Undefined addresses have no link. */
export function pager({ newest, older }: { newest?: string | undefined; older?: string | undefined }): Html {
  if (newest === undefined && older === undefined) return html``;
  const link = (href: string | undefined, text: string) =>
    href !== undefined && html`<a class="button secondary" href="${href}">${text}</a>`;
  return html`<nav class="buttons" aria-label="Pages">${link(newest, "Newest")}${link(older, "Older")}</nav>`;
}

/**
 * Renders text that a click unfolds.
 *
 * @param options.open whether it is unfolded first
 */
export function disclosure(
  summary: Content,
  content: Content,
  { open = false, id }: { open?: boolean; id?: string } = {},
): Html {
  return html`<details class="disclosure"${attributes({ open, id })}><summary>${summary}</summary><div class="stack">${content}</div></details>`;
}

/** Tokens of JSON: names, texts, numbers and words. */
const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** Longer JSON is shown as it is, because each token needs an element. In UTF-16 code units. */
const longestPretty = 50_000;

/** Renders JSON with indentation and colors; text that is not JSON as it is. */
export function jsonBlock(text: string): Html {
  const pretty = text.length > longestPretty ? undefined : prettyJson(text);
  if (pretty === undefined) return html`<pre class="code" tabindex="0"><code>${text}</code></pre>`;
  const parts: Content[] = [];
  let end = 0;
  for (const { 0: all, 1: quoted, 2: colon, 3: numeric, index } of pretty.matchAll(tokens)) {
    parts.push(pretty.slice(end, index));
    const kind =
      quoted !== undefined
        ? colon !== undefined
          ? "name"
          : "string"
        : numeric !== undefined
          ? "number"
          : "keyword";
    parts.push(html`<span class="${kind}">${quoted ?? all}</span>${colon ?? ""}`);
    end = index + all.length;
  }
  return html`<pre class="code json" tabindex="0"><code>${parts}${pretty.slice(end)}</code></pre>`;
}

function prettyJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
