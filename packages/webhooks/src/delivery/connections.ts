/** Which connection an attempt made, and how long each step of connecting took. */
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

let connecting: ConnectionSlot | null = null;

/**
 * Runs a function that sends an attempt. The client's pool does not say for which attempt it connects, but it begins to connect while the
 * attempt is being dispatched.
 */
export function connectingFor(slot: ConnectionSlot, dispatch: () => void): void {
  connecting = slot;
  try {
    dispatch();
  } finally {
    connecting = null;
  }
}

/**
 * Measures the steps of connecting, for the attempt that is being dispatched.
 *
 * @param socket socket that has just begun to connect
 * @param isVisible whether the subscriber may see an address
 */
export function measureConnection(socket: Socket, isVisible: (address: string) => boolean): void {
  const slot = connecting;
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
