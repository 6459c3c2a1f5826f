import { isIP } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { type AddressPolicy, blockedAddress, guardedLookup, isBlockedAddress } from "./blocked-addresses.ts";

export interface HttpClientOptions extends AddressPolicy {
  /** Milliseconds to connect, TLS included. */
  connectTimeoutMs: number;
}

/** Keeps connections alive, one pool an origin; checks where each new one leads. Redirects are never followed. */
export function createHttpClient({ connectTimeoutMs, ...policy }: HttpClientOptions): Dispatcher {
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup(policy) });
  return new Agent({
    keepAliveTimeout: 30_000,
    connect(options, callback) {
      // An address that is written out is not looked up, so it is checked here.
      const host = options.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && isBlockedAddress(host, policy))
        return callback(blockedAddress(host, host), null);
      connect(options, callback);
    },
  });
}
