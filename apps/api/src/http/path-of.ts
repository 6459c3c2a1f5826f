/** The path that a request line names, also where it names the whole URL (RFC 9112 section 3.2.2). */
export function pathOf({ url }: { url: string }): string {
  return url.replace(/^https?:\/\/[^/]*/i, "").split("?")[0] ?? "";
}
