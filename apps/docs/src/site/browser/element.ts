/** Values of attributes. `true` sets an empty attribute; `false` and undefined set none. */
export type AttributeValues = Record<string, string | number | boolean | undefined>;

/**
 * Creates an element. Text is inserted as text, never as HTML.
 *
 * @example
 * element("a", { href: "/docs/", class: "button" }, "Documentation");
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: AttributeValues = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false)
      created.setAttribute(attribute, value === true ? "" : String(value));
  }
  created.append(...children);
  return created;
}
