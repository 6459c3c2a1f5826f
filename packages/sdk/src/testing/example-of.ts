/**
 * Returns the example with a name.
 *
 * @throws TypeError that lists the names
 */
export function exampleOf<Example>(all: { readonly [name: string]: Example }, name: string): Example {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found !== undefined) return found;
  throw new TypeError(`There is no example "${name}". Known: ${Object.keys(all).join(", ")}.`);
}
