import { environment } from "./environment.ts";

/**
 * Returns the root URL of the server without a trailing slash.
 *
 * @param baseUrl - root URL. Default: the environment variable `PARLEY_URL`
 *
 * @throws TypeError if it is not an absolute http or https URL
 */
export function normalizeBaseUrl(baseUrl: string = environment("PARLEY_URL")): string {
  const url = httpUrl("baseUrl (or PARLEY_URL)", baseUrl);
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/**
 * Returns an option as a URL.
 *
 * @throws TypeError if it is not an absolute http or https URL
 */
export function httpUrl(name: string, value: string | URL): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new TypeError(`${name} must be an absolute http or https URL (received "${String(value)}").`);
}
