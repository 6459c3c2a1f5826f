import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name: string) => readFileSync(join(import.meta.dirname, "styles", `${name}.css`), "utf8");

/** Stylesheets by name. Each depends on the ones before it. */
export const stylesheets = {
  /** Colors, sizes and fonts as custom properties, for light and dark. */
  tokens: read("tokens"),
  /** Elements without a class: text, links, lists, tables, code. */
  base: read("base"),
  /** Components, each with a class: buttons, fields, cards, tables. */
  components: read("components"),
  /** The layout of `pageLayout`, and its headings and paragraphs. */
  page: read("page"),
};
