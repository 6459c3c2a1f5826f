import { InvalidGrantError } from "../errors/oauth-errors.ts";
import { abortable } from "../http/abortable.ts";
import type { TokenSource } from "../http/transport.ts";
import type { GrantedTokens, Tokens } from "./tokens.ts";

/** What {@link RenewingTokens} takes. */
export interface RenewingTokensOptions {
  readonly tokens: Tokens;
  /** Spends a refresh token. */
  readonly refresh: (refreshToken: string) => Promise<GrantedTokens>;
  /** Stores a new pair. */
  readonly onTokens?: ((tokens: GrantedTokens) => void | Promise<void>) | undefined;
  /** Reads the stored pair, which another process may have renewed. */
  readonly loadTokens?: (() => Tokens | undefined | Promise<Tokens | undefined>) | undefined;
  readonly now: () => number;
}

/** A token that is about to expire could do so on its way. */
const marginMs = 30_000;

/**
 * The tokens of a client. However many calls find the access token expired, it is renewed once, and the new pair is
 * used only after it was stored: a pair that is lost on the way cannot be had again.
 */
export class RenewingTokens implements TokenSource {
  readonly #options: RenewingTokensOptions;
  #tokens: Tokens;
  #renewal: Promise<void> | undefined;
  /** A new pair that could not be stored yet. */
  #unstored: GrantedTokens | undefined;
  /** Why the refresh token is dead. It is not tried again: the service would have to take it for stolen. */
  #end: InvalidGrantError | undefined;

  constructor(options: RenewingTokensOptions) {
    this.#options = options;
    this.#tokens = options.tokens;
  }

  async current(signal: AbortSignal): Promise<string> {
    if (this.#renewal || this.#expires()) await abortable(this.#renew(), signal);
    return this.#tokens.accessToken;
  }

  async replace(refused: string, signal: AbortSignal): Promise<string | undefined> {
    // Another call has renewed it since.
    if (this.#tokens.accessToken !== refused) return this.#tokens.accessToken;
    if (this.#tokens.refreshToken === undefined) return undefined;
    await abortable(this.#renew(), signal);
    return this.#tokens.accessToken;
  }

  #expires(): boolean {
    const { refreshToken, expiresAt } = this.#tokens;
    return (
      refreshToken !== undefined && expiresAt !== undefined && this.#options.now() >= expiresAt - marginMs
    );
  }

  #renew(): Promise<void> {
    this.#renewal ??= this.#refreshAndStore().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
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
    if (this.#end) throw this.#end;
    try {
      return await this.#options.refresh(this.#tokens.refreshToken ?? "");
    } catch (error) {
      if (error instanceof InvalidGrantError) this.#end = error;
      throw error;
    }
  }
}
