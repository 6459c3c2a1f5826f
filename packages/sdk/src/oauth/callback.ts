import { AuthorizationError } from "../errors/oauth-errors.ts";
import { normalizeBaseUrl } from "../http/base-url.ts";
import type { ServerOptions } from "../http/options.ts";

/** Values that {@link handleCallback} compares with the redirect. */
export interface HandleCallbackOptions extends ServerOptions {
  /** The `state` that you passed to {@link authorizeUrl}, from the user's session. */
  readonly state: string;
  /** Issuer of the server, if its public address is not `baseUrl`. Default: `baseUrl` without a trailing slash. */
  readonly issuer?: string | undefined;
}

/**
 * Checks the redirect to your app and returns its authorization code (RFC 6749, section 4.1.2): `state` and `iss`
 * (RFC 9207) must be correct, and there must be no `error`. It sends no request.
 *
 * @param url - URL of the request to your redirect URI, absolute or relative, for example `request.url` of Node.js
 * @param expected - values from the session of the user whose browser sent the request
 * @throws {@link AuthorizationError} if the user denied access or a check fails
 *
 * @example
 * const { code } = handleCallback(request.url, { ...client, state: session.state });
 * const tokens = await exchangeCode({ ...client, code, redirectUri, codeVerifier: session.codeVerifier });
 */
export function handleCallback(
  url: string | URL,
  { baseUrl, state, issuer = normalizeBaseUrl(baseUrl) }: HandleCallbackOptions,
): { readonly code: string } {
  // Not parsed as a URL, because the error for an invalid URL would contain the code.
  const query = new URLSearchParams(/^[^?#]*(\?[^#]*)/.exec(String(url))?.[1]);
  // A parameter must not occur twice (RFC 6749, section 3.1).
  const parameter = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null);
  if (!state || parameter("state") !== state) throw failure("state_mismatch", "the state of this session");
  if (parameter("iss") !== issuer) throw failure("issuer_mismatch", "the issuer of this server");
  const error = parameter("error");
  if (error)
    throw new AuthorizationError({ code: error, description: parameter("error_description") ?? error });
  const code = parameter("code");
  if (!code) throw failure("missing_code", "a code");
  return { code };
}

function failure(code: string, missing: string): AuthorizationError {
  const description = `The redirect does not have ${missing}. Start the authorization again.`;
  return new AuthorizationError({ code, description });
}
