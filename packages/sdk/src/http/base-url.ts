import { environment } from "./environment.ts";

/**
 * Returns the root URL of the server without a trailing slash.
 *
 * @param baseUrl - root URL. Default: the environment variable `PARLEY_URL`
 *
 * @throws TypeError if it is not an absolute http or https URL
 */
export function normalizeBaseUrl(baseUrl: string = environment("PARLEY_URL")): string {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new TypeError(
      `baseUrl (or PARLEY_URL) must be an absolute http or https URL (received "${baseUrl}").`,
    );
  }
  const { origin, pathname } = new URL(baseUrl);
  return (origin + pathname).replace(/\/+$/, "");
}
