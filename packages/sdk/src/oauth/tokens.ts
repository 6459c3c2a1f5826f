import type { components } from "../generated/schema.ts";

/** Response of the token endpoint (RFC 6749, section 5.1). */
export type TokenResponse = components["schemas"]["TokenResponse"];

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

/** A pair of tokens with all its members, as the token endpoint returns it. */
export type GrantedTokens = { readonly [Name in keyof Tokens]-?: NonNullable<Tokens[Name]> };

/**
 * Converts a response of the token endpoint to the `tokens` option of {@link Parley}.
 *
 * @param response - response of {@link exchangeCode} or {@link refresh}
 * @param now - when the response arrived, in milliseconds since 1970. Default: now
 *
 * @example
 * const { accessToken, refreshToken, expiresAt } = toTokens(await exchangeCode({ ...client, code, redirectUri, codeVerifier }));
 */
export function toTokens(response: TokenResponse, now: number = Date.now()): GrantedTokens {
  return {
    accessToken: response.access_token,
    refreshToken: response.refresh_token,
    expiresAt: now + response.expires_in * 1000,
  };
}
