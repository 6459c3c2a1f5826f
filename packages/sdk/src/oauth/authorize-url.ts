import type * as schema from "../generated/schema.ts";
import { normalBaseUrl } from "../http/base-url.ts";
import type { Known } from "../known.ts";

/** A scope of an access token, for example `leads:read`. */
export type Scope = Known<schema.Scope>;

/** What {@link authorizeUrl} takes. */
export interface AuthorizeUrlOptions {
  /** The service's root address. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Where the user is sent afterwards; registered with the client. */
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** Random, and kept in the user's session: compare it with the one that comes back (CSRF). */
  readonly state?: string | undefined;
  /** Of {@link createPkce}. */
  readonly codeChallenge?: string | undefined;
}

/**
 * The address to send the user's browser to (specification §5.1).
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
  // %20 is read as a space everywhere, a plus sign only where forms are decoded.
  return `${normalBaseUrl(options.baseUrl)}/api/oauth/authorize?${`${query}`.replaceAll("+", "%20")}`;
}
