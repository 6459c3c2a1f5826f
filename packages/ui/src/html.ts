import type { html } from "hono/html";

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
