import type { ConnectionOptions } from "./http/options.ts";
import type { GrantedTokens, Tokens } from "./oauth/tokens.ts";

interface CommonOptions extends ConnectionOptions {
  /** Client ID to which the tokens were issued. Required with a refresh token. */
  readonly clientId?: string | undefined;
  /** Client secret, for refreshing the tokens. A public client (RFC 6749, section 2.1) has no secret. */
  readonly clientSecret?: string | undefined;
  /**
   * Function that stores a new pair of tokens, which replaces the old pair. The client waits for this function without
   * a timeout before it uses the new pair. If the function throws, the waiting calls reject with its error, and the
   * next call passes the same pair again. The function must not call this client, because such a call would wait
   * forever. Default: tokens are not stored.
   */
  readonly onTokens?: ((tokens: GrantedTokens) => void | Promise<void>) | undefined;
  /**
   * Function that reads the stored pair of tokens, for several processes that share one grant. The client calls it
   * before a refresh. If another process has refreshed the tokens, the client uses the stored pair. Without this
   * function, a process would send an old refresh token again. After 60 seconds, the API treats such a token as stolen
   * and revokes the grant. Default: none.
   */
  readonly loadTokens?: (() => Tokens | undefined | Promise<Tokens | undefined>) | undefined;
}

interface FixedToken extends CommonOptions {
  /**
   * Access token. The client does not refresh it; pass `tokens` for that. Default: the environment variable
   * `PARLEY_TOKEN`.
   */
  readonly accessToken?: string | undefined;
  readonly tokens?: undefined;
}

interface TokenPair extends CommonOptions {
  /** Stored pair of tokens. With a refresh token, the client refreshes the access token when it expires. */
  readonly tokens: Tokens;
  readonly accessToken?: undefined;
}

/**
 * Options of {@link Parley}: `baseUrl`, and an `accessToken` or a pair of `tokens`. Options that you leave out are read from
 * the environment variables `PARLEY_URL` and `PARLEY_TOKEN`.
 *
 * @example
 * const shared = new Parley({
 *   baseUrl: "https://parley.example.com",
 *   clientId: "client",
 *   clientSecret: "secret",
 *   tokens: { accessToken: "parley_at_0", refreshToken: "parley_rt_0" },
 *   onTokens: (tokens) => stored.write(JSON.stringify(tokens)),
 *   loadTokens: async () => JSON.parse(await stored.read()),
 * });
 */
export type ParleyOptions = FixedToken | TokenPair;
