import type { AfterResponseMiddleware, BeforeRequestMiddleware } from "zapier-platform-core";

/** A path instead of a URL is a call of the API: at the address that came with the tokens, on the user's behalf. */
export const callApi: BeforeRequestMiddleware = (request, _z, { authData }) => {
  if (!request.url.startsWith("/")) return request;
  const headers = { ...request.headers, authorization: `Bearer ${authData["access_token"]}` };
  return { ...request, url: `${authData["api_base_url"]}${request.url}`, headers };
};

/**
 * Says what Parley says. The platform has dealt with 401 and 429 before: it refreshes the tokens (`RefreshAuthError`), or
 * waits as long as `Retry-After` says (`ThrottledError`). A request with `skipThrowForStatus` accepts Parley's own 404. Any other 404
 * comes from a proxy or a wrong address, and says nothing about the record.
 *
 * @throws ExpiredAuthError when the user must connect again, or Error with the status, the code and the description
 */
export const throwForError: AfterResponseMiddleware = (response, z) => {
  if (response.status < 400) return response;
  const { error = "server_error", error_description = `Parley answered ${response.status}.` } =
    response.data ?? {};
  if (response.status === 404 && error === "not_found" && response.skipThrowForStatus) return response;
  if (error === "invalid_grant") throw new z.errors.ExpiredAuthError(error_description);
  throw new z.errors.Error(error_description, error, response.status);
};
