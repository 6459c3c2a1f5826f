/**
 * The service's root address without a slash at its end.
 *
 * @throws TypeError when it is not an absolute http or https address.
 */
export function normalBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new TypeError(`baseUrl is not an http(s) address: ${baseUrl}`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, "");
}
