import type { html } from "hono/html";

export { html, raw } from "hono/html";

/** HTML that is safe to insert in other HTML. It is a promise if a value in it is a promise. */
export type Html = ReturnType<typeof html>;
