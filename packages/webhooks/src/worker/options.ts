import type { Pool } from "pg";
import type { Dispatcher } from "undici";
import type { GatePolicy } from "../delivery/gate.ts";
import type { SecretBox } from "../secret-box.ts";
import type { Outcome } from "./results.ts";

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
  /** Whether the operator is to be told when a subscription starts failing, fails and recovers. */
  notices: boolean;
  /** Is told of each attempt. */
  observer?: DeliveryObserver | undefined;
}

/** What metrics are made of. */
export interface DeliveryObserver {
  sending(): void;
  /** `ageMs` is how long ago the delivery was made. */
  attempted(attempt: { outcome: Outcome; durationMs: number; ageMs: number }): void;
  /** The gate of a subscription moved. */
  gateMoved(state: GateState): void;
}

/** A subscription began to fail, is failed and paused, or works again. */
export type GateState = "failing" | "failed" | "recovered";

export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
