import { InvalidGrantError } from "./errors/oauth-errors.ts";
import { systemClock } from "./http/clock.ts";
import { environment } from "./http/environment.ts";
import type { TokenSource } from "./http/transport.ts";
import { refresh } from "./oauth/endpoint.ts";
import type { GrantedTokens, Tokens } from "./oauth/tokens.ts";
import type { ParleyOptions } from "./options.ts";

/** Time before its expiry at which a token is refreshed, so that it does not expire during a request. */
const marginMs = 30_000;

/**
 * Returns the token source for the options of a client. It refreshes the tokens when they expire, once for all waiting
 * calls. A new pair is used only after it is stored, because a lost pair cannot be requested again.
 *
 * @throws TypeError if there is no valid access token, or a refresh token without `clientId`
 */
export function tokenSourceOf(options: ParleyOptions): TokenSource {
  const { clientId = "", onTokens, loadTokens, clock = systemClock } = options;
  let tokens: Tokens = options.tokens ?? {
    accessToken: options.accessToken ?? environment("PARLEY_TOKEN"),
  };
  // A header cannot contain other characters, so every request would fail.
  if (!tokens.accessToken || /[^\x21-\x7e]/.test(tokens.accessToken))
    throw new TypeError("accessToken (or PARLEY_TOKEN) must be 1 or more visible ASCII characters.");
  if (tokens.refreshToken !== undefined && !clientId)
    throw new TypeError("clientId is required if tokens contains a refreshToken.");

  let refreshing: Promise<void> | undefined;
  /** New pair that is not stored yet. */
  let unstored: GrantedTokens | undefined;
  /** Error of an invalid refresh token. The token is not sent again, because the API would treat it as stolen. */
  let invalidGrant: InvalidGrantError | undefined;

  async function refreshAndStore(): Promise<void> {
    const stored = unstored ? undefined : await loadTokens?.();
    if (stored && stored.accessToken !== tokens.accessToken) {
      tokens = stored;
      invalidGrant = undefined;
      return;
    }
    if (invalidGrant) throw invalidGrant;
    const { refreshToken = "" } = tokens;
    unstored ??= await refresh({ ...options, clientId, refreshToken }).catch((error: unknown) => {
      if (error instanceof InvalidGrantError) invalidGrant = error;
      throw error;
    });
    await onTokens?.(unstored);
    tokens = unstored;
    unstored = undefined;
  }

  async function refreshOnce(): Promise<string> {
    refreshing ??= refreshAndStore().finally(() => {
      refreshing = undefined;
    });
    await refreshing;
    return tokens.accessToken;
  }

  return {
    async current() {
      const { accessToken, refreshToken, expiresAt = Infinity } = tokens;
      const expires = refreshToken !== undefined && clock.now() >= expiresAt - marginMs;
      return refreshing || expires ? await refreshOnce() : accessToken;
    },
    async replace(rejected) {
      const { accessToken, refreshToken } = tokens;
      // Another call has refreshed the token in the meantime.
      if (accessToken !== rejected) return accessToken;
      return refreshToken === undefined ? undefined : await refreshOnce();
    },
  };
}
