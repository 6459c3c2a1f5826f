import type { Pool } from "pg";
import type { Dispatcher } from "undici";
import type { CircuitPolicy } from "../delivery/circuit-breaker.ts";
import type { Logger } from "../logger.ts";
import type { SubscriptionHealth } from "../notices/notice.ts";
import type { SecretBox } from "../secret-box.ts";

/** What the delivery loop works with, and its limits. */
export interface DeliveryLoopOptions {
  db: Pool;
  client: Dispatcher;
  secretBox: SecretBox;
  circuitPolicy: CircuitPolicy;
  /** Attempts after which a delivery is exhausted while others to the same receiver succeed. */
  maxAttempts: number;
  maxInFlight: number;
  maxInFlightPerSubscription: number;
  /** Milliseconds for one attempt. */
  timeoutMs: number;
  /** Milliseconds since 1970. */
  clock: () => number;
  log: Logger;
  /** Whether to write notices to the operator when a subscription starts failing, fails or recovers. */
  notices: boolean;
  /** Receives what metrics count. */
  observer?: Partial<DeliveryObserver> | undefined;
}

/** Receives what metrics count. */
export interface DeliveryObserver {
  /** An attempt starts. */
  sending(): void;
  /** An attempt ended. `ageMs` is the time since the delivery was created. */
  attempted(attempt: { outcome: Outcome; durationMs: number; ageMs: number }): void;
  subscriptionChanged(state: SubscriptionHealth): void;
  /** Database work failed, and is retried. */
  stepFailed(step: StepName): void;
  /** A statement failed because of one subscription, which is left alone for a while. */
  subscriptionIsolated(): void;
  /** A malformed notification was dropped. */
  notificationDropped(): void;
}

/** What became of an attempt: a failed one is repeated, an exhausted delivery is not. */
export type Outcome = "delivered" | "failed" | "exhausted";

/** The kinds of database work of a worker. */
export const stepNames = ["lease", "fetch", "record", "return", "share", "sweep"] as const;
export type StepName = (typeof stepNames)[number];
