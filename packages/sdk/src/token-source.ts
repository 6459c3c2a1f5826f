import type { Clock } from "./http/clock.ts";
import type { TokenSource } from "./http/transport.ts";
import { refresh } from "./oauth/endpoint.ts";
import { RenewingTokens } from "./oauth/renewing-tokens.ts";
import { toTokens } from "./oauth/tokens.ts";
import type { ParleyOptions } from "./options.ts";

/**
 * The tokens of a client by its options.
 *
 * @throws TypeError when there is no access token, or a refresh token and no client to renew it for.
 */
export function tokenSourceOf(options: ParleyOptions, clock: Clock): TokenSource {
  const tokens = options.tokens ?? { accessToken: options.accessToken };
  const { clientId = "", onTokens, loadTokens } = options;
  // What a header cannot hold would only fail when it is sent.
  if (!tokens.accessToken || /[^\x21-\x7e]/.test(tokens.accessToken))
    throw new TypeError("No access token was passed, or not one");
  if (tokens.refreshToken !== undefined && !clientId) {
    throw new TypeError("A refresh token needs clientId, too");
  }
  return new RenewingTokens({
    tokens,
    onTokens,
    loadTokens,
    now: () => clock.now(),
    refresh: async (refreshToken) =>
      toTokens(await refresh({ ...options, clientId, refreshToken }), clock.now()),
  });
}
