import { InvalidGrantError } from "../errors/oauth-errors.ts";
import { abortable } from "../http/abortable.ts";
import type { TokenSource } from "../http/transport.ts";
import type { GrantedTokens, Tokens } from "./tokens.ts";

/** Options of {@link RefreshingTokens}. */
export interface RefreshingTokensOptions {
  /** First pair of tokens. */
  readonly tokens: Tokens;
  /** Exchanges a refresh token for a new pair. */
  readonly refresh: (refreshToken: string) => Promise<GrantedTokens>;
  /** Stores a new pair. */
  readonly onTokens?: ((tokens: GrantedTokens) => void | Promise<void>) | undefined;
  /** Reads the stored pair, which another process may have refreshed. */
  readonly loadTokens?: (() => Tokens | undefined | Promise<Tokens | undefined>) | undefined;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Time before its expiry at which a token is refreshed, so that it does not expire during a request. */
const marginMs = 30_000;

/**
 * Refreshes the tokens of a client when they expire, once for all waiting calls. A new pair is used only after it is
 * stored, because a lost pair cannot be requested again.
 */
export class RefreshingTokens implements TokenSource {
  readonly #options: RefreshingTokensOptions;
  #tokens: Tokens;
  #refreshing: Promise<void> | undefined;
  /** New pair that is not stored yet. */
  #unstored: GrantedTokens | undefined;
  /** Error of an invalid refresh token. The token is not sent again, because the API would treat it as stolen. */
  #invalidGrant: InvalidGrantError | undefined;

  constructor(options: RefreshingTokensOptions) {
    this.#options = options;
    this.#tokens = options.tokens;
  }

  async current(signal: AbortSignal): Promise<string> {
    if (this.#refreshing || this.#expires()) await abortable(this.#refreshOnce(), signal);
    return this.#tokens.accessToken;
  }

  async replace(rejected: string, signal: AbortSignal): Promise<string | undefined> {
    // Another call has refreshed the token in the meantime.
    if (this.#tokens.accessToken !== rejected) return this.#tokens.accessToken;
    if (this.#tokens.refreshToken === undefined) return undefined;
    await abortable(this.#refreshOnce(), signal);
    return this.#tokens.accessToken;
  }

  #expires(): boolean {
    const { refreshToken, expiresAt } = this.#tokens;
    return (
      refreshToken !== undefined && expiresAt !== undefined && this.#options.now() >= expiresAt - marginMs
    );
  }

  #refreshOnce(): Promise<void> {
    this.#refreshing ??= this.#refreshAndStore().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshAndStore(): Promise<void> {
    const stored = this.#unstored ? undefined : await this.#options.loadTokens?.();
    if (stored && stored.accessToken !== this.#tokens.accessToken) {
      this.#tokens = stored;
      return;
    }
    this.#unstored ??= await this.#refresh();
    await this.#options.onTokens?.(this.#unstored);
    this.#tokens = this.#unstored;
    this.#unstored = undefined;
  }

  async #refresh(): Promise<GrantedTokens> {
    if (this.#invalidGrant) throw this.#invalidGrant;
    try {
      return await this.#options.refresh(this.#tokens.refreshToken ?? "");
    } catch (error) {
      if (error instanceof InvalidGrantError) this.#invalidGrant = error;
      throw error;
    }
  }
}
