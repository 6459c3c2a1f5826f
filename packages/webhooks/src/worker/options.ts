import type { Tracing } from "@parley/monitoring/tracing";
import type { Dispatcher } from "undici";
import type { CircuitPolicy } from "../delivery/circuit-breaker.ts";
import type { Logger } from "../logger.ts";
import type { SubscriptionHealth } from "../notices/notice.ts";
import type { SecretBox } from "../secret-box.ts";
import type { Statements } from "../statements.ts";

/** Dependencies and limits of the delivery loop. */
export interface DeliveryLoopOptions {
  db: Statements;
  client: Dispatcher;
  secretBox: SecretBox;
  circuitPolicy: CircuitPolicy;
  /** Number of attempts after which a delivery is exhausted if other deliveries to the same receiver succeed. */
  maxAttempts: number;
  maxInFlight: number;
  maxInFlightPerSubscription: number;
  /** Timeout of an attempt in milliseconds. */
  timeoutMs: number;
  /** Milliseconds since 1970. */
  clock: () => number;
  log: Logger;
  /** Whether to write notices to the operator when a subscription starts failing, fails or recovers. */
  notices: boolean;
  /** Traces the attempts of traced events. */
  tracing?: Tracing | undefined;
  /** Receives events for metrics. */
  observer?: Partial<DeliveryObserver> | undefined;
}

/** Receives events for metrics. */
export interface DeliveryObserver {
  /** An attempt starts. */
  sending(): void;
  /** An attempt ended. `ageMs` is the time since the delivery was created. */
  attempted(attempt: { outcome: Outcome; durationMs: number; ageMs: number }): void;
  subscriptionChanged(state: SubscriptionHealth): void;
  /** A step of the database work failed and is retried. */
  stepFailed(step: StepName): void;
  /** A statement failed because of one subscription, which is skipped for a minute. */
  subscriptionIsolated(): void;
  /** A malformed notification was ignored. */
  notificationDropped(): void;
  /** Pending deliveries were removed, because their organization exceeded the limit. */
  pendingRemoved(count: number): void;
  /** Events were removed before their retention ended, because their organization exceeded the limit. */
  eventsRemoved(count: number): void;
}

/** Outcome of an attempt: `failed` is retried, `exhausted` is not. */
export type Outcome = "delivered" | "failed" | "exhausted";

/** Steps of a worker's database work. */
export const stepNames = ["lease", "fetch", "record", "return", "sweep"] as const;
export type StepName = (typeof stepNames)[number];
