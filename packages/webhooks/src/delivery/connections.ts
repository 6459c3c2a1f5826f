/** Which connection an attempt made, and how long each step of connecting took. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Socket } from "node:net";

/** Connection that an attempt made or tried to make. Durations are null if the step was not reached. */
export interface Connection {
  /** Addresses to which connecting was tried, in order. */
  readonly addresses: string[];
  /** Durations in milliseconds. */
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

/** Receives the connection of one attempt. */
export interface ConnectionSlot {
  connection: Connection | null;
}

/** The client's pool does not say for which attempt it connects, but it connects in the context of that attempt. */
export const connectingAttempt = new AsyncLocalStorage<ConnectionSlot>();

/**
 * Measures the steps of connecting, for the attempt in whose context the function is called.
 *
 * @param socket socket that has just begun to connect
 * @param isVisible whether the subscriber may see an address
 */
export function measureConnection(socket: Socket, isVisible: (address: string) => boolean): void {
  const slot = connectingAttempt.getStore();
  if (!slot) return;
  const connection: Connection = { addresses: [], dnsMs: null, connectMs: null, tlsMs: null };
  slot.connection = connection;
  let stepStartedAt = performance.now();
  const endStep = () => {
    const startedAt = stepStartedAt;
    stepStartedAt = performance.now();
    return Math.round(stepStartedAt - startedAt);
  };
  socket.on("connectionAttempt", (address: string) => {
    connection.dnsMs ??= endStep();
    if (isVisible(address)) connection.addresses.push(address);
  });
  socket.prependOnceListener("connect", () => {
    connection.connectMs = endStep();
  });
  socket.prependOnceListener("secureConnect", () => {
    connection.tlsMs = endStep();
  });
}
