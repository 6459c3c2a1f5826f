import { pauseAfter, planFetch } from "./backlogs.ts";
import { isolate } from "./isolate.ts";
import { loadLargeBodies } from "./large-bodies.ts";
import type { LeasedSubscription } from "./leased-subscription.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import { fetchOrdered } from "./ordered-deliveries.ts";
import { fetchPending, type PendingDelivery, type Position } from "./pending-deliveries.ts";
import type { QueueBeginnings } from "./queue-beginnings.ts";
import { reportIsolated } from "./reports.ts";
import { Step } from "./step.ts";
import type { SubscriptionStates } from "./subscription-states.ts";

export interface FetchingEvents {
  /** Called when a pass is needed, because a backlog may be fetched again or a failed fetch can be retried. */
  wake(): void;
  /** Called after deliveries were fetched concurrently with passes. */
  fetched(): void;
}

/** What one fetch reads of a subscription. */
interface Read {
  count: number;
  /** Deliveries that this worker already has; empty unless the read starts at the beginning. */
  known: PendingDelivery[];
  /** Whether the read starts at the beginning of the queue. */
  isFromBeginning: boolean;
  after: Position | null;
}

/** Fetches pending deliveries for the subscriptions in state `delivering`. */
export class Fetching {
  readonly step: Step;
  readonly #workerId: string;
  readonly #options: DeliveryLoopOptions;
  readonly #states: SubscriptionStates;
  readonly #beginnings: QueueBeginnings;
  readonly #events: FetchingEvents;
  #pauseTimer: NodeJS.Timeout | undefined;

  constructor(
    workerId: string,
    options: DeliveryLoopOptions,
    states: SubscriptionStates,
    beginnings: QueueBeginnings,
    events: FetchingEvents,
  ) {
    this.#workerId = workerId;
    this.#options = options;
    this.#states = states;
    this.#beginnings = beginnings;
    this.#events = events;
    this.step = new Step("fetch", options, () => events.wake());
  }

  /** Fetches for the subscriptions that need it. Does not wait for long backlogs. */
  async fetch(): Promise<void> {
    const delivering = [...this.#states.in("delivering").values()].map(({ leased }) => leased);
    const plan = planFetch(delivering, performance.now());
    if (plan.nextMs !== null && !this.#pauseTimer) {
      this.#pauseTimer = setTimeout(() => this.#endPause(), plan.nextMs);
    }
    if (plan.concurrently.length > 0) {
      void this.step
        .run(() => this.#fetchFor(plan.concurrently))
        .then((succeeded) => succeeded && this.#events.fetched());
    }
    // The step also runs if there is nothing to fetch, so that `troubledSince` is reset when the fault is gone.
    await this.step.run(() => this.#fetchFor(plan.now));
  }

  async #fetchFor(subscriptions: LeasedSubscription[]): Promise<void> {
    if (subscriptions.length === 0) return;
    const [now, from] = [this.#options.clock(), performance.now()];
    const reads = new Map(subscriptions.map((leased) => [leased, this.#planRead(leased, from)]));
    for (const { fetched } of subscriptions) fetched.fetchStarted();
    const cut = new Set<string>();
    const fetching = isolate(subscriptions, (some) => this.#query(some, reads, now, cut));
    const succeeded = await fetching.then(
      () => true,
      () => false,
    );
    for (const { fetched } of subscriptions) fetched.fetchEnded(succeeded);
    const { failed, rows } = await fetching;
    for (const { item, error } of failed) {
      reportIsolated(this.#options, item.id, error);
      this.#states.closeLease(item, { to: "avoid" });
    }
    const bySubscription = Map.groupBy(rows, ({ subscriptionId }) => subscriptionId);
    for (const [leased, read] of reads) {
      leased.fetched.pausedUntil = pauseAfter(from, performance.now());
      if (!this.#states.isDelivering(leased) || leased.circuit.isOpen || leased.fetched.isEnding) continue;
      const deliveries = bySubscription.get(leased.id) ?? [];
      const count = leased.isOrdered ? recordsOf(deliveries) : deliveries.length;
      const full = cut.has(leased.id) || count >= read.count;
      leased.fetched.add(deliveries, { full, isProbe: leased.circuit.isHalfOpen });
      if (read.isFromBeginning && !full)
        this.#beginnings.wasRead(leased.id, [...read.known, ...deliveries], read.after, from);
      if (deliveries.length > 0) leased.lastBusyAt = now;
    }
  }

  #planRead(leased: LeasedSubscription, at: number): Read {
    const { readTo } = leased.fetched;
    const isFromBeginning = readTo === null && !leased.isOrdered;
    return {
      count: leased.wanted,
      known: isFromBeginning ? leased.deliveries : [],
      isFromBeginning,
      after: isFromBeginning ? this.#beginnings.of(leased.id, at) : readTo,
    };
  }

  #endPause(): void {
    this.#pauseTimer = undefined;
    this.#events.wake();
  }

  /** @param cut the IDs of subscriptions that did not get all of their deliveries are added */
  async #query(
    subscriptions: LeasedSubscription[],
    reads: ReadonlyMap<LeasedSubscription, Read>,
    now: number,
    cut: Set<string>,
  ): Promise<PendingDelivery[]> {
    const wantedOf = (leased: LeasedSubscription) => ({
      subscriptionId: leased.id,
      count: reads.get(leased)?.count ?? 0,
      probe: leased.circuit.isHalfOpen,
      after: reads.get(leased)?.after ?? null,
    });
    const unordered = subscriptions.filter(({ isOrdered }) => !isOrdered);
    const known = unordered.flatMap((leased) => reads.get(leased)?.known ?? []);
    const records = subscriptions
      .filter(({ isOrdered }) => isOrdered)
      .map((leased) => ({ ...wantedOf(leased), busyRecords: leased.fetched.records }));
    const at = new Date(now);
    const { db } = this.#options;
    const found = await Promise.all([
      fetchPending(db, this.#workerId, unordered.map(wantedOf), known, at),
      fetchOrdered(db, this.#workerId, records, at),
    ]);
    const loaded = await loadLargeBodies(db, found.flat(), this.#kept());
    for (const id of loaded.cut) cut.add(id);
    return loaded.deliveries;
  }

  /** Returns all deliveries that the worker has. */
  *#kept(): Generator<PendingDelivery> {
    for (const state of ["delivering", "closing"] as const) {
      for (const { leased } of this.#states.in(state).values()) yield* leased.deliveries;
    }
  }
}

/** Returns the number of records that the deliveries belong to. */
function recordsOf(deliveries: PendingDelivery[]): number {
  return new Set(deliveries.map(({ recordKey }) => recordKey)).size;
}
