import { isIP, Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { type AddressPolicy, blockedAddress, guardedLookup, isBlockedAddress } from "./blocked-addresses.ts";
import { measureConnection } from "./connections.ts";
import type { Lookup } from "./fair-lookup.ts";

interface HttpClientOptions extends AddressPolicy {
  /** Timeout for connecting, including TLS, in milliseconds. */
  connectTimeoutMs: number;
  /** Resolves names. Default: the system's resolver. */
  lookup?: Lookup;
}

/** Creates the HTTP client for deliveries. It keeps connections alive, blocks forbidden addresses and follows no redirects. */
export function createHttpClient({ connectTimeoutMs, lookup, ...policy }: HttpClientOptions): Dispatcher {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(policy, lookup),
    // With HTTP/2, an aborted attempt would not close its connection, and later attempts would use the broken
    // connection.
    allowH2: false,
  });
  return new Agent({
    keepAliveTimeout: 30_000,
    allowH2: false,
    connect(options, callback) {
      // The lookup does not run for IP addresses, so they are checked here.
      const host = options.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && isBlockedAddress(host, policy)) return callback(blockedAddress(host), null);
      // The connector returns the socket, which has just begun to connect.
      const socket: unknown = connect(options, callback);
      // The delivery log does not show addresses of the operator's network.
      const isVisible = (address: string) => !isBlockedAddress(address, { allowLoopback: true });
      if (socket instanceof Socket) measureConnection(socket, isVisible);
    },
  });
}
