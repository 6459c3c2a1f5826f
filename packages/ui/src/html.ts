import { html } from "hono/html";

/** `html` escapes every value for text and quoted attributes (RFC 6749 section 10.14). `raw` marks text that is HTML. */
export { html, raw } from "hono/html";

/** HTML that is safe to insert in other HTML. It is a promise if a value in it is a promise. */
export type Html = ReturnType<typeof html>;

/** Returns the text of a template. */
export async function render(template: Html): Promise<string> {
  return (await template).toString();
}

/**
 * Returns the text of a template without promises.
 *
 * @throws TypeError if a value in it is a promise
 */
export function renderSync(template: Html): string {
  if (template instanceof Promise) throw new TypeError("The template contains a promise. Use render.");
  return template.toString();
}

/** HTML, or text, which is escaped. */
export type Content = Html | string;

/** Attributes by name. `true` renders only the name; `false` and undefined render nothing. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/**
 * Renders attributes of an element, each after a space. Values are escaped; names must not contain input of users.
 *
 * @example
 * html`<input${attributes({ type: "email", required: true })}>`; // <input type="email" required>
 */
export function attributes(values: Attributes): Html {
  const rendered = Object.entries(values).map(([name, value]) =>
    typeof value === "boolean" || value === undefined ? value && html` ${name}` : html` ${name}="${value}"`,
  );
  return html`${rendered}`;
}
