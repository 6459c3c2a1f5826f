import { isIP } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { type AddressPolicy, blockedAddress, guardedLookup, isBlockedAddress } from "./blocked-addresses.ts";
import type { Lookup } from "./fair-lookup.ts";

interface HttpClientOptions extends AddressPolicy {
  /** Milliseconds to connect, TLS included. */
  connectTimeoutMs: number;
  /** How names are resolved; as the system does it, unless given. */
  lookup?: Lookup;
}

/** Keeps connections alive, one pool an origin; checks where each new one leads. Redirects are never followed. */
export function createHttpClient({ connectTimeoutMs, lookup, ...policy }: HttpClientOptions): Dispatcher {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(policy, lookup),
    // An attempt that is given up ends its connection; over HTTP/2 those after it would go on with the same dead one.
    allowH2: false,
  });
  return new Agent({
    keepAliveTimeout: 30_000,
    allowH2: false,
    connect(options, callback) {
      // An address that is written out is not looked up, so it is checked here.
      const host = options.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && isBlockedAddress(host, policy)) return callback(blockedAddress(host), null);
      connect(options, callback);
    },
  });
}
