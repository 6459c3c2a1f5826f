/**
 * Returns the root URL of the server without a trailing slash.
 *
 * @throws TypeError if it is not an absolute http or https URL
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new TypeError(`baseUrl must be an absolute http or https URL (received "${baseUrl}").`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, "");
}
