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
   * Stores a new pair; the old one is spent. It is awaited before the new pair is used, without a time limit. When it
   * fails, so do the calls that wait for it, and the next call tries to store the same pair again. It must not call this
   * client: that call would wait for it.
   */
  readonly onTokens?: ((tokens: GrantedTokens) => void | Promise<void>) | undefined;
  /**
   * Reads the stored pair, for several processes that share one grant. It is asked before a pair is renewed: when another
   * process has renewed it, that pair is used. Without it an old pair would be spent a second time, which the service takes
   * for theft when more than 60 s have passed.
   */
  readonly loadTokens?: (() => Tokens | undefined | Promise<Tokens | undefined>) | undefined;
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
