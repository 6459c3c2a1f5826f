import type * as schema from "../generated/schema.ts";
import { normalizeBaseUrl } from "../http/base-url.ts";
import type { ServerOptions } from "../http/options.ts";
import type { Known } from "../known.ts";

/** Scope of an access token, for example `leads:read`. */
export type Scope = Known<schema.Scope>;

/** Options of {@link authorizeUrl}. */
export interface AuthorizeUrlOptions extends ServerOptions {
  /** Client ID of your app. */
  readonly clientId: string;
  /** URL to which the user is redirected with the code. It must be registered for the client. */
  readonly redirectUri: string;
  /** Scopes to request. */
  readonly scopes: readonly Scope[];
  /**
   * Random string that protects against CSRF (RFC 6749, section 10.12). Store it in the user's session and compare it with
   * `state` of the redirect. Default: none.
   */
  readonly state?: string | undefined;
  /** `codeChallenge` of {@link createPkce}. Required for a client without a secret. Default: none. */
  readonly codeChallenge?: string | undefined;
}

/**
 * Returns the URL of the authorization page. Redirect the user's browser to it (RFC 6749, section 4.1.1).
 *
 * @throws TypeError if `baseUrl` is not an absolute http or https URL
 *
 * @example
 * const { codeVerifier, codeChallenge } = await createPkce();
 * const url = authorizeUrl({
 *   baseUrl: "https://parley.example.com",
 *   clientId: "client",
 *   redirectUri: "https://app.example.com/callback",
 *   scopes: ["leads:read", "webhooks:manage"],
 *   state: crypto.randomUUID(),
 *   codeChallenge,
 * });
 */
export function authorizeUrl(options: AuthorizeUrlOptions): string {
  const query = new URLSearchParams({
    client_id: options.clientId,
    redirect_uri: options.redirectUri,
    response_type: "code",
    scope: options.scopes.join(" "),
  });
  if (options.state !== undefined) query.set("state", options.state);
  if (options.codeChallenge !== undefined) {
    query.set("code_challenge", options.codeChallenge);
    query.set("code_challenge_method", "S256");
  }
  // Every parser decodes %20 as a space, but only form parsers decode a plus sign.
  return `${normalizeBaseUrl(options.baseUrl)}/api/oauth/authorize?${`${query}`.replaceAll("+", "%20")}`;
}
