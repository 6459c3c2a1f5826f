import { setTimeout as delay } from "node:timers/promises";
import { isolate } from "./isolate.ts";
import type { LeasedSubscription } from "./leased-subscription.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import { reportIsolated } from "./reports.ts";
import { type AttemptRecord, type CircuitRecord, recordResults } from "./results.ts";
import { Step } from "./step.ts";
import type { SubscriptionStates } from "./subscription-states.ts";

const maxBatch = 500;
const flushAfterMs = 10;
/** Time after which results of a locked subscription are written again. */
const lockedRetryMs = 100;

/** The result of one attempt. */
interface Result {
  leased: LeasedSubscription;
  attempt: AttemptRecord;
  /** The circuit breaker, if the attempt changed it. */
  circuit: CircuitRecord | null;
}

/**
 * Collects results and writes them in batches, one batch at a time. While the database is unavailable, it keeps them
 * and retries. While another transaction has locked a subscription, its results wait, and those of others are written. It discards the results of subscriptions that another worker has leased in the meantime, and their
 * deliveries are sent again. It also discards results that the database rejects because of their data, and the
 * subscription is skipped for a minute.
 */
export class Recorder {
  readonly step: Step;
  readonly #workerId: string;
  readonly #options: DeliveryLoopOptions;
  readonly #states: SubscriptionStates;
  readonly #recorded: () => void;
  #results: Result[] = [];
  /** Results of subscriptions that another transaction has locked, in their order. */
  #postponed: Result[] = [];
  #postponedTimer: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #abandoned = false;

  /** @param recorded is called after each batch */
  constructor(
    workerId: string,
    options: DeliveryLoopOptions,
    states: SubscriptionStates,
    recorded: () => void,
  ) {
    this.#workerId = workerId;
    this.#options = options;
    this.#states = states;
    this.#recorded = recorded;
    this.step = new Step("record", options);
  }

  add(result: Result): void {
    this.#results.push(result);
    // The next delivery of the record waits for the record of an ordered one.
    if (this.#results.length >= maxBatch || result.leased.isOrdered) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), flushAfterMs);
  }

  /** Resolves when all results so far are written. */
  async flush(): Promise<void> {
    while (!this.#abandoned && (this.#results.length > 0 || this.#writing || this.#postponed.length > 0)) {
      this.#write();
      await (this.#writing ?? delay(flushAfterMs));
    }
  }

  /** Stops writing. The next worker that leases the subscriptions sends unrecorded deliveries again. */
  abandon(): void {
    this.#abandoned = true;
    this.#results = [];
    this.#postponed = [];
    clearTimeout(this.#timer);
    clearTimeout(this.#postponedTimer);
  }

  #write(): void {
    this.#joinPostponed();
    if (this.#writing || this.#results.length === 0 || this.#abandoned) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#results.splice(0, maxBatch);
    this.#writing = this.#writeBatch(batch).finally(() => {
      this.#writing = undefined;
      if (this.#results.length > 0) this.#write();
    });
  }

  /** Lets results wait behind earlier ones of their subscription. */
  #joinPostponed(): void {
    if (this.#postponed.length === 0) return;
    const locked = new Set(this.#postponed.map(({ leased }) => leased));
    const { waiting = [], others = [] } = Object.groupBy(this.#results, ({ leased }) =>
      locked.has(leased) ? "waiting" : "others",
    );
    this.#postponed.push(...waiting);
    this.#results = others;
  }

  #postpone(results: Result[]): void {
    if (results.length === 0) return;
    this.#postponed.push(...results);
    this.#postponedTimer ??= setTimeout(() => {
      this.#postponedTimer = undefined;
      this.#results.unshift(...this.#postponed.splice(0));
      this.#write();
    }, lockedRetryMs);
  }

  async #writeBatch(batch: Result[]): Promise<void> {
    while (!this.#abandoned && !(await this.step.run(() => this.#tryBatch(batch)))) {
      await delay(this.step.retryInMs);
    }
  }

  async #tryBatch(batch: Result[]): Promise<void> {
    const bySubscription = [...Map.groupBy(batch, ({ leased }) => leased)];
    const { rows, failed } = await isolate(bySubscription, (some) =>
      this.#writeResults(some.flatMap(([, results]) => results)),
    );
    const locked = new Set(rows.flatMap(({ leased, isLocked }) => (isLocked ? [leased] : [])));
    this.#postpone(batch.filter(({ leased }) => locked.has(leased)));
    for (const { leased, attempt } of batch) if (!locked.has(leased)) leased.recorded(attempt.delivery);
    for (const { item, error } of failed) {
      const [leased] = item;
      reportIsolated(this.#options, leased.id, error);
      this.#states.closeLease(leased, { to: "avoid" });
    }
    for (const { leased, isLocked } of rows) if (!isLocked) this.#states.closeLease(leased, { to: "forget" });
    this.#recorded();
  }

  /** @returns the subscriptions whose results were not recorded: they are locked, or this worker no longer leases them */
  async #writeResults(results: Result[]): Promise<{ leased: LeasedSubscription; isLocked: boolean }[]> {
    const attempts = results.map(({ attempt }) => attempt);
    const recorded = await recordResults(this.#options.db, this.#workerId, attempts, lastCircuits(results));
    return [...new Set(results.map(({ leased }) => leased))].flatMap((leased) => {
      const isLocked = recorded.locked.includes(leased.id);
      return isLocked || !recorded.leased.has(leased.id) ? { leased, isLocked } : [];
    });
  }
}

/** Combines several changes of a circuit into the last one, with all notices. */
function lastCircuits(results: Result[]): CircuitRecord[] {
  const circuits = new Map<string, CircuitRecord>();
  for (const { circuit } of results) {
    if (!circuit) continue;
    const earlier = circuits.get(circuit.subscriptionId);
    const { failuresBefore, notices } = earlier ?? { failuresBefore: circuit.failuresBefore, notices: [] };
    circuits.set(circuit.subscriptionId, {
      ...circuit,
      failuresBefore,
      notices: [...notices, ...circuit.notices],
    });
  }
  return [...circuits.values()];
}
