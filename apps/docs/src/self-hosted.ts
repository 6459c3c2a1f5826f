/** Keeps Redoc from asking other servers: its logo becomes a data: URI, its icon CDN a path that is never used. */

const logo =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 16" width="48" height="16">' +
      '<text x="2" y="12" font-family="system-ui,sans-serif" font-size="12" font-weight="600" fill="#7b8794">Redoc</text>' +
      "</svg>",
  );

const replacements: [from: string, to: string][] = [
  ["https://cdn.redoc.ly/redoc/logo-mini-full.svg", logo],
  ["https://cdn.redoc.ly/redoc/logo-mini.svg", logo],
  ["https://cdn.redocly.com/icons/fa/7.0.0", "icons"],
  ["https://cdn.redocly.com/icons/code/5.24.0", "icons"],
  // Telemetry is off (start.js); without an address it cannot be on by mistake.
  ["https://otel.cloud.redocly.com/v1/traces", "telemetry-is-off"],
];

/**
 * Returns Redoc's script without the addresses that a browser would fetch.
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
