import type * as schema from "../generated/schema.ts";

/** A pair of tokens. Store it as JSON. */
export interface Tokens {
  /** Access token, `parley_at_…`, valid for 1 hour. */
  readonly accessToken: string;
  /**
   * Refresh token, `parley_rt_…`, valid for 30 days. Each refresh returns a new refresh token. Without it, the client
   * does not refresh.
   */
  readonly refreshToken?: string | undefined;
  /**
   * When the access token expires, in milliseconds since 1970. The client refreshes it 30 seconds earlier. If this is not
   * set, the client refreshes only after the API rejects the token.
   */
  readonly expiresAt?: number | undefined;
}

/** A pair of tokens that the token endpoint has issued (RFC 6749, section 5.1), for the `tokens` option of {@link Parley}. */
export interface GrantedTokens extends Tokens {
  readonly refreshToken: string;
  readonly expiresAt: number;
  /** Granted scopes. */
  readonly scopes: readonly schema.Scope[];
  /** Root URL of the API, for example `https://parley.example.com`. */
  readonly apiBaseUrl: string;
}
