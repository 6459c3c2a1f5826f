import type { Clock } from "./http/clock.ts";
import type { TokenSource } from "./http/transport.ts";
import { refresh } from "./oauth/endpoint.ts";
import { RefreshingTokens } from "./oauth/refreshing-tokens.ts";
import type { ParleyOptions } from "./options.ts";

/**
 * Returns the token source for the options of a client.
 *
 * @throws TypeError if there is no valid access token, or a refresh token without `clientId`
 */
export function tokenSourceOf(options: ParleyOptions, clock: Clock): TokenSource {
  const tokens = options.tokens ?? { accessToken: options.accessToken };
  const { clientId = "", onTokens, loadTokens } = options;
  // A header cannot contain other characters, so every request would fail.
  if (!tokens.accessToken || /[^\x21-\x7e]/.test(tokens.accessToken))
    throw new TypeError("accessToken is required and must consist of visible ASCII characters.");
  if (tokens.refreshToken !== undefined && !clientId) {
    throw new TypeError("clientId is required if tokens contains a refreshToken.");
  }
  return new RefreshingTokens({
    tokens,
    onTokens,
    loadTokens,
    now: () => clock.now(),
    refresh: (refreshToken) => refresh({ ...options, clientId, refreshToken }),
  });
}
