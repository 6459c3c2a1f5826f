import type { Pool } from "pg";
import type { Dispatcher } from "undici";
import type { GatePolicy } from "../delivery/gate.ts";
import type { SecretBox } from "../secret-box.ts";

/** What a delivery worker works with and within. */
export interface PumpOptions {
  db: Pool;
  client: Dispatcher;
  secretBox: SecretBox;
  gatePolicy: GatePolicy;
  /** Attempts after which a single delivery is given up while others succeed. */
  maxAttempts: number;
  maxInFlight: number;
  maxInFlightPerSubscription: number;
  /** Milliseconds for one attempt. */
  timeoutMs: number;
  /** Milliseconds since 1970. */
  clock: () => number;
  log: Logger;
}

export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
