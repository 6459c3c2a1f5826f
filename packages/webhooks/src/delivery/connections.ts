/** Which connection carried an attempt, and how long each step of connecting took. */
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** Connection of an attempt. Durations are null if the attempt used an existing connection or the step was not reached. */
export interface Connection {
  /** Addresses to which connecting was tried, in order. The attempt used the last one. */
  readonly addresses: string[];
  /** Durations in milliseconds. */
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
}

/** New connections by their socket or, if connecting failed, by their error, until their first attempt takes them. */
const made = new WeakMap<object, Connection>();

/** By delivery ID: receives the socket to which the request is written. */
const waiting = new Map<string, (socket: Socket) => void>();

// The only documented way to learn which connection of undici's pool carries a request.
subscribe("undici:client:sendHeaders", (message) => {
  const { request, socket } = message as { request: { headers: unknown }; socket: Socket };
  if (waiting.size > 0 && Array.isArray(request.headers))
    waiting.get(deliveryIdOf(request.headers))?.(socket);
});

/** Returns the value of `webhook-id` from a list of names and values. */
function deliveryIdOf(headers: unknown[]): string {
  return String(headers[headers.indexOf("webhook-id") + 1]);
}

/** Waits for the socket of an attempt. Returns a function that ends the waiting and returns the connection. */
export function watchConnection(deliveryId: string): (error: unknown) => Connection | null {
  let connection: Connection | null = null;
  waiting.set(deliveryId, (socket) => {
    connection = made.get(socket) ?? reused(socket);
    made.delete(socket);
  });
  return (error) => {
    waiting.delete(deliveryId);
    return connection ?? (error instanceof Error ? (made.get(error) ?? null) : null);
  };
}

function reused({ remoteAddress }: Socket): Connection {
  const addresses = remoteAddress === undefined ? [] : [remoteAddress];
  return { addresses, dnsMs: null, connectMs: null, tlsMs: null };
}

/**
 * Measures the steps of connecting.
 *
 * @param socket socket that has just begun to connect
 * @param isVisible whether the subscriber may see an address
 * @returns function to call when the connection is made or failed, with its socket or error
 */
export function measureConnection(
  socket: Socket,
  isVisible: (address: string) => boolean,
): (result: object) => void {
  const startedAt = performance.now();
  const addresses: string[] = [];
  let resolvedAt: number | undefined;
  let connectedAt: number | undefined;
  socket.on("connectionAttempt", (address: string) => {
    resolvedAt ??= performance.now();
    if (isVisible(address)) addresses.push(address);
  });
  socket.once("connect", () => {
    connectedAt = performance.now();
  });
  return (result) => {
    const endedAt = result === socket ? performance.now() : undefined;
    made.set(result, {
      addresses,
      dnsMs: between(startedAt, resolvedAt),
      // Without TLS, the connector calls this function before the listener above is called.
      connectMs: between(resolvedAt, connectedAt ?? endedAt),
      tlsMs: "encrypted" in socket ? between(connectedAt, endedAt) : null,
    });
  };
}

function between(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : Math.round(to - from);
}
