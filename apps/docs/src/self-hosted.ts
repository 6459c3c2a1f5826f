/** Addresses that Redoc would fetch, and what takes their place. It hides a logo that does not load. */
const replacements: [from: string, to: string][] = [["https://cdn.redoc.ly/redoc/logo-mini.svg", "data:,"]];

/**
 * Returns Redoc's script without the addresses that a browser would fetch from other servers.
 * Throws when one of them is missing or another one is left: then Redoc has changed and this list must follow.
 */
export function selfHosted(script: string): string {
  let result = script;
  for (const [from, to] of replacements) {
    if (!result.includes(from)) throw new Error(`Redoc no longer names ${from}; see ${import.meta.filename}`);
    result = result.replaceAll(from, to);
  }
  const left = result.match(/https:\/\/(?:[\w-]+\.)*(?:cdn|fonts|otel)[\w.-]*\/[^\s"'`]*/);
  if (left !== null) throw new Error(`Redoc would fetch ${left[0]}; see ${import.meta.filename}`);
  return result;
}
