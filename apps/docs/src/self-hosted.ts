/** Addresses that Redoc would fetch, and their replacements. Redoc hides a logo that does not load. */
const replacements: [from: string, to: string][] = [["https://cdn.redoc.ly/redoc/logo-mini.svg", "data:,"]];

/**
 * Returns Redoc's script without the addresses that a browser would fetch from other servers.
 *
 * @throws Error if an address of the list is missing, or another address is left: Redoc has changed, so update the list
 */
export function selfHosted(script: string): string {
  let result = script;
  for (const [from, to] of replacements) {
    if (!result.includes(from))
      throw new Error(`Redoc no longer contains ${from}; update the list in ${import.meta.filename}`);
    result = result.replaceAll(from, to);
  }
  const left = result.match(/https:\/\/(?:[\w-]+\.)*(?:cdn|fonts|otel)[\w.-]*\/[^\s"'`]*/);
  if (left !== null)
    throw new Error(`Redoc would fetch ${left[0]}; update the list in ${import.meta.filename}`);
  return result;
}
