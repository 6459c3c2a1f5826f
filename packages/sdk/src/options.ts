import type { ConnectionOptions } from "./http/options.ts";
import type { GrantedTokens, Tokens } from "./oauth/tokens.ts";

interface CommonOptions extends ConnectionOptions {
  /** The service's root address, for example `https://parley.example.com`. */
  readonly baseUrl: string;
  /** The OAuth client that the tokens were granted to; needed to renew them. */
  readonly clientId?: string | undefined;
  /** Its secret; needed to renew them, unless it is a public client. */
  readonly clientSecret?: string | undefined;
  /**
   * Stores a new pair; the old one is spent. It is awaited before the new pair is used. When it fails, so do the calls
   * that wait for it, and the next call tries to store the same pair again.
   */
  readonly onTokens?: ((tokens: GrantedTokens) => void | Promise<void>) | undefined;
}

interface FixedToken extends CommonOptions {
  /** An access token. It is not renewed. */
  readonly accessToken: string;
  readonly tokens?: undefined;
}

interface TokenPair extends CommonOptions {
  /** The tokens that were stored. With a refresh token the access token is renewed when it expires. */
  readonly tokens: Tokens;
  readonly accessToken?: undefined;
}

/** What {@link Parley} takes. */
export type ParleyOptions = FixedToken | TokenPair;
