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

/** A token is refreshed this long before it expires, so that it does not expire in transit. */
const marginMs = 30_000;

/**
 * Tokens of a client that are refreshed when they expire, once for all waiting calls. A new pair is used only after it is
 * stored, because a pair that is lost cannot be requested again.
 */
export class RefreshingTokens implements TokenSource {
  readonly #options: RefreshingTokensOptions;
  #tokens: Tokens;
  #refreshing: Promise<void> | undefined;
  /** New pair that is not stored yet. */
  #unstored: GrantedTokens | undefined;
  /** Set when the refresh token is invalid. It is not sent again: repeated use would look like theft. */
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
    // Another call has refreshed it since.
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
