/**
 * Returns the path of a request target without the query. The target may be an absolute URL (RFC 9112 section 3.2.2).
 */
export function pathOf({ url }: { url: string }): string {
  return url.replace(/^https?:\/\/[^/]*/i, "").split("?")[0] ?? "";
}
