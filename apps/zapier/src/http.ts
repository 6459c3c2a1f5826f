import type { AfterResponseMiddleware, BeforeRequestMiddleware } from "zapier-platform-core";

/** Sends a request whose URL is only a path to the API, at the address from the token response and with the user's token. */
export const callApi: BeforeRequestMiddleware = (request, _z, { authData }) => {
  if (!request.url.startsWith("/")) return request;
  const headers = { ...request.headers, authorization: `Bearer ${authData["access_token"]}` };
  return { ...request, url: `${authData["api_base_url"]}${request.url}`, headers };
};

/**
 * Throws Parley's error. Zapier's platform has already handled 401 and 429: it refreshes the tokens (`RefreshAuthError`), or
 * waits for the time in `Retry-After` (`ThrottledError`). A request with `skipThrowForStatus` accepts a 404 of Parley. Any other 404
 * comes from a proxy or a wrong address, and does not mean that the record is missing.
 *
 * @throws ExpiredAuthError if the user must connect again, otherwise Error with the status, the code and the description
 */
export const throwForError: AfterResponseMiddleware = (response, z) => {
  if (response.status < 400) return response;
  const { error = "server_error", error_description = `Parley responded ${response.status}.` } =
    response.data ?? {};
  if (response.status === 404 && error === "not_found" && response.skipThrowForStatus) return response;
  if (error === "invalid_grant") throw new z.errors.ExpiredAuthError(error_description);
  throw new z.errors.Error(error_description, error, response.status);
};
