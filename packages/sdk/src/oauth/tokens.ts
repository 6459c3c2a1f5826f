import type { components } from "../generated/schema.ts";

/** What the token endpoint answers (specification §5.2). */
export type TokenResponse = components["schemas"]["TokenResponse"];

/** A pair of tokens, as you store it: plain JSON. */
export interface Tokens {
  /** `parley_at_…`, valid for one hour. */
  readonly accessToken: string;
  /** `parley_rt_…`, valid for 30 days; each use gives a new one. Without it, nothing is renewed. */
  readonly refreshToken?: string | undefined;
  /** When the access token expires, in milliseconds since 1970. Known, it is renewed before it is refused. */
  readonly expiresAt?: number | undefined;
}

/** A pair of tokens, as the token endpoint grants it. */
export type GrantedTokens = { readonly [Name in keyof Tokens]-?: NonNullable<Tokens[Name]> };

/**
 * Turns the token endpoint's answer into what {@link Parley} takes.
 *
 * @param now - when the answer came, in milliseconds since 1970
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
