import { setImmediate as nextTurn } from "node:timers/promises";
import type { Notification } from "../notifications.ts";
import { openSecrets } from "../signing-secret.ts";
import { planFetch, restAfter } from "./backlogs.ts";
import { isolate } from "./isolate.ts";
import { LeasedSubscription } from "./leased-subscription.ts";
import {
  findPendingSubscriptions,
  type Lease,
  type PendingSubscriptions,
  returnLeases,
  takeLeases,
} from "./leases.ts";
import type { DeliveryLoopOptions, StepName } from "./options.ts";
import { fetchPending, type PendingDelivery } from "./pending-deliveries.ts";
import { Recorder } from "./recorder.ts";
import { Sender } from "./sender.ts";
import { Sharing } from "./sharing.ts";
import { Step } from "./step.ts";
import { type Next, SubscriptionStates } from "./subscription-states.ts";
import { recordUnreadable } from "./unreadable.ts";

/** How long an idle subscription stays leased, in case more deliveries follow. */
const lingerMs = 1_000;
/** How many pending subscriptions one look returns at most. */
const maxFound = 1_000;
/** How long a subscription keeps its place while others wait for one. */
const turnMs = 1_000;
/** How long an unreadable subscription stays leased: another worker may have the key. */
const unreadableMs = 60_000;
/** How long a subscription that makes statements fail is left alone. */
const isolatedMs = 60_000;

/**
 * Delivers: takes leases, fetches pending deliveries, sends them within the limits, passes results to the recorder, returns
 * leases. A pass does what can be done at the moment, and runs again whenever something changed. A slot that becomes
 * free is refilled at once. What is known about each subscription is in `SubscriptionStates`.
 */
export class DeliveryLoop {
  readonly #options: DeliveryLoopOptions;
  readonly #workerId: string;
  readonly #states = new SubscriptionStates();
  readonly #recorder: Recorder;
  readonly #sender: Sender;
  readonly #sharing: Sharing;
  readonly #steps = {
    lease: this.#step("lease"),
    fetch: this.#step("fetch"),
    return: this.#step("return"),
    share: this.#step("share"),
  };
  /** Goes round the subscriptions that are being delivered to. */
  #turns = this.#states.in("delivering").values();
  /** Whether to look for pending deliveries in the database, whatever was announced. */
  #lookRequested = true;
  /** Whether the database may hold more pending subscriptions than the last look returned. */
  #foundMost = false;
  #restTimer: NodeJS.Timeout | undefined;
  /** Resolves when the passes end that are running. */
  #passes = Promise.resolve();
  #run: "idle" | "running" | "running, run again" | "stopped" = "idle";

  constructor(workerId: string, options: DeliveryLoopOptions) {
    this.#options = options;
    this.#workerId = workerId;
    this.#recorder = new Recorder(options.db, workerId, {
      recorded: (lost) => {
        for (const leased of lost) this.#closeIfCurrent(leased, { to: "forget" });
        this.#wake();
      },
      isolated: (leased, error) => {
        this.#reportIsolated(leased.id, error);
        this.#closeIfCurrent(leased, { to: "avoid" });
      },
      failed: (error) => this.#reportFailure("record", error),
    });
    this.#sender = new Sender(options, this.#recorder, () => {
      this.#send(); // The slot is refilled now, not after the statements of a pass.
      this.#wake();
    });
    this.#sharing = new Sharing(workerId, options, this.#states);
  }

  /** Handles a notification. */
  notified(notification: Notification): void {
    if (notification.kind === "changed") this.#states.changed(notification.subscription);
    else if (notification.kind === "share") this.#sharing.asked(notification.worker, notification.room);
    else if ((notification.to ?? this.#workerId) !== this.#workerId) return;
    else if (notification.subscriptions === "all") this.#lookRequested = true;
    else this.#notePending(notification.subscriptions);
    this.#wake();
  }

  /** Looks for pending deliveries in the database, whatever was announced. */
  look(): void {
    this.#lookRequested = true;
    this.#wake();
  }

  /** Since when some step fails at every try; ms of the monotonic clock, null if all work. */
  get failingSince(): number | null {
    const since = [...Object.values(this.#steps), this.#recorder].flatMap(
      ({ failingSince }) => failingSince ?? [],
    );
    return since.length > 0 ? Math.min(...since) : null;
  }

  /** Sends nothing more, waits for the attempts in flight, records them and returns all leases. */
  async stop(): Promise<void> {
    this.#run = "stopped";
    await this.#passes;
    for (const { leased } of this.#states.in("delivering").values()) leased.fetched.clear();
    await this.#sender.finished();
    try {
      await this.#recorder.flush();
      await returnLeases(this.#options.db, this.#workerId, this.#states.leasedIds());
    } catch (error) {
      this.#options.log.error({ err: error }, "leases could not be returned; they end with the session");
    }
  }

  /**
   * Ends after the session was lost. Sends nothing more. Attempts in flight are still recorded, unless another worker was
   * faster to lease their subscription. Resolves when that is done, or after `abandon`.
   */
  async retire(): Promise<void> {
    this.#run = "stopped";
    await this.#passes;
    this.#states.clear();
    await this.#sender.finished();
    await this.#recorder.flush();
  }

  /** Records nothing more. */
  abandon(): void {
    this.#recorder.abandon();
  }

  #wake(): void {
    if (this.#run === "idle") this.#passes = this.#runPasses();
    else if (this.#run === "running") this.#run = "running, run again";
  }

  async #runPasses(): Promise<void> {
    do {
      this.#run = "running";
      await nextTurn(); // Whatever changes within one turn of the event loop is handled by one pass.
      if (this.#isStopped) return;
      this.#run = "running";
      await this.#pass();
    } while (this.#shouldRunAgain);
    if (!this.#isStopped) this.#run = "idle";
  }

  // Getters, since TypeScript does not see that other methods change the field during an await.
  get #isStopped(): boolean {
    return this.#run === "stopped";
  }

  get #shouldRunAgain(): boolean {
    return this.#run === "running, run again";
  }

  async #pass(): Promise<void> {
    // A lease must be returned before it can be taken again.
    if (this.#isCrowded || this.#states.in("returning").size > 0) await this.#return();
    await this.#steps.lease.run(() => this.#lease());
    if (this.#isStopped) return;
    await this.#fetch();
    if (this.#isStopped) return;
    this.#send();
    this.#sharing.answer();
    await this.#return(); // Last, so that pending deliveries do not wait for it.
    await this.#steps.share.run(async () => {
      await this.#sharing.announce();
      await this.#sharing.ask(this.#sender.freeSlots);
    });
  }

  #step(name: StepName): Step<StepName> {
    return new Step(name, (_, error, retryInMs) => {
      this.#reportFailure(name, error);
      setTimeout(() => this.#wake(), retryInMs).unref();
    });
  }

  #reportFailure(step: StepName, error: unknown): void {
    this.#options.observer?.stepFailed?.(step);
    this.#options.log.error({ err: error, step }, "delivery step failed; retrying");
  }

  #reportIsolated(subscription: string, error: unknown): void {
    this.#options.observer?.subscriptionIsolated?.();
    this.#options.log.error(
      { err: error, subscription },
      "a statement fails because of this subscription; it is left alone for a minute",
    );
  }

  #notePending(ids: Iterable<string>): void {
    const now = this.#options.clock();
    for (const id of ids) this.#states.pending(id, now);
  }

  #closeIfCurrent(leased: LeasedSubscription, next: Next): void {
    const state = this.#states.get(leased.id);
    if (state && "leased" in state && state.leased === leased) this.#states.close(leased.id, next);
  }

  async #return(): Promise<void> {
    const now = this.#options.clock();
    this.#collectReturns(now);
    const returning = [...this.#states.in("returning")].filter(([, { notBefore }]) => notBefore <= now);
    if (returning.length === 0) return;
    await this.#steps.return.run(async () => {
      const ids = returning.map(([id]) => id);
      const { failed } = await isolate(ids, async (some) => {
        await returnLeases(this.#options.db, this.#workerId, some);
        return [];
      });
      const failedIds = new Set(failed.map(({ item }) => item));
      for (const { item, error } of failed) this.#delayReturn(item, error, now);
      for (const id of ids) if (!failedIds.has(id)) this.#returned(id, now);
    });
  }

  /** Moves every subscription whose lease is no longer needed to `returning`. */
  #collectReturns(now: number): void {
    const isCrowded = this.#isCrowded;
    for (const [id, { leased }] of this.#states.in("delivering")) {
      const { fetched, circuit, lastBusyAt } = leased;
      if (!leased.isSettled || leased.wanted > 0) continue;
      if (isCrowded || fetched.isLast || circuit.isOpen || now - lastBusyAt >= lingerMs) {
        const hasMore = fetched.isLast && fetched.mayHaveMore && !circuit.isOpen;
        this.#states.giveBack(id, { to: hasMore ? "lease" : "forget" });
      }
    }
    for (const [id, { leased, next }] of this.#states.in("closing")) {
      if (leased.isSettled) this.#states.giveBack(id, next);
    }
    for (const [id, { until, next }] of this.#states.in("unreadable")) {
      if (until <= now) this.#states.giveBack(id, next);
    }
    for (const [id, { until }] of this.#states.in("avoided")) if (until <= now) this.#states.set(id, null);
  }

  #delayReturn(id: string, error: unknown, now: number): void {
    this.#reportIsolated(id, error);
    const state = this.#states.get(id);
    if (state?.name === "returning") this.#states.set(id, { ...state, notBefore: now + isolatedMs });
  }

  #returned(id: string, now: number): void {
    const state = this.#states.get(id);
    if (state?.name !== "returning") return;
    const { next } = state;
    if (next.to === "forget") this.#states.set(id, null);
    else if (next.to === "avoid") this.#states.set(id, { name: "avoided", until: now + isolatedMs });
    else if (next.to === "hand over") this.#sharing.handOver(id, next.worker);
    else {
      this.#states.set(id, { name: "announced" });
      this.#wake();
    }
  }

  async #lease(): Promise<void> {
    const now = this.#options.clock();
    const announced = this.#states.in("announced");
    if (this.#lookRequested || (this.#foundMost && announced.size === 0)) {
      const { free, othersHoldSome } = await this.#find(now);
      this.#foundMost = free.length === maxFound;
      this.#notePending(free);
      this.#sharing.mayAsk = othersHoldSome && announced.size === 0;
    }
    const candidates = [...announced.keys().take(Math.max(this.#places, 0))];
    for (const id of candidates) this.#states.set(id, { name: "leasing", changed: false, pending: false });
    if (announced.size > 0) this.#makeRoom(now);
    if (candidates.length === 0) return;
    const leases = await this.#take(candidates, now);
    const unreadable = leases.filter((lease) => !this.#begin(lease, now));
    for (const lease of unreadable) await recordUnreadable(this.#options, lease, now);
  }

  async #find(now: number): Promise<PendingSubscriptions> {
    this.#lookRequested = false;
    try {
      return await findPendingSubscriptions(this.#options.db, this.#workerId, new Date(now), maxFound);
    } catch (error) {
      this.#lookRequested = true;
      throw error;
    }
  }

  /** Takes the leases of the candidates. Those that were not taken are forgotten. */
  async #take(candidates: string[], now: number): Promise<Lease[]> {
    const { db } = this.#options;
    try {
      const { rows, failed } = await isolate(candidates, (ids) =>
        takeLeases(db, this.#workerId, ids, new Date(now)),
      );
      for (const { item, error } of failed) {
        this.#reportIsolated(item, error);
        this.#states.set(item, { name: "avoided", until: now + isolatedMs });
      }
      const taken = new Set(rows.map(({ subscriptionId }) => subscriptionId));
      for (const id of candidates) {
        const state = this.#states.get(id);
        if (state?.name !== "leasing" || taken.has(id)) continue;
        this.#states.set(id, state.pending ? { name: "announced" } : null);
        if (state.pending) this.#wake();
      }
      return rows;
    } catch (error) {
      // This worker may hold the leases: the connection may have been cut before the answer.
      for (const id of candidates) this.#states.giveBack(id, { to: "lease" });
      throw error;
    }
  }

  /** @returns whether the secrets can be read */
  #begin(lease: Lease, now: number): boolean {
    const { secretBox } = this.#options;
    const id = lease.subscriptionId;
    const state = this.#states.get(id);
    if (state?.name !== "leasing") return true; // The loop is stopped: the lease ends with the session.
    const secrets = openSecrets(lease, secretBox, now);
    if (!secrets) {
      const [until, next]: [number, Next] = state.changed
        ? [0, { to: "lease" }]
        : [now + unreadableMs, { to: "forget" }];
      this.#states.set(id, { name: "unreadable", until, next });
      return false;
    }
    const leased = new LeasedSubscription(lease, secrets, this.#options, now);
    this.#states.set(id, { name: "delivering", leased });
    if (state.changed) this.#states.close(id, { to: "lease" });
    return true;
  }

  /** How many more subscriptions may be leased. */
  get #places(): number {
    return this.#options.maxInFlight - this.#states.in("delivering").size - this.#states.in("closing").size;
  }

  /** Whether subscriptions wait for a place. */
  get #isCrowded(): boolean {
    return this.#states.in("announced").size > this.#places;
  }

  /** Subscriptions that had their turn make room for others. */
  #makeRoom(now: number): void {
    for (const { leased } of this.#states.in("delivering").values()) {
      if (now - leased.leasedAt >= turnMs) leased.fetched.isLast = true;
    }
  }

  async #fetch(): Promise<void> {
    const delivering = [...this.#states.in("delivering").values()].map(({ leased }) => leased);
    const plan = planFetch(delivering, performance.now());
    if (plan.nextMs !== null && !this.#restTimer) {
      this.#restTimer = setTimeout(() => this.#endRest(), plan.nextMs);
    }
    if (plan.concurrently.length > 0) void this.#fetchConcurrently(plan.concurrently);
    // Also with nothing to fetch, so that a fault does not count on when its cause is gone.
    await this.#steps.fetch.run(() => this.#fetchFor(plan.now));
  }

  async #fetchConcurrently(subscriptions: LeasedSubscription[]): Promise<void> {
    if (!(await this.#steps.fetch.run(() => this.#fetchFor(subscriptions)))) return;
    this.#send();
    this.#wake();
  }

  async #fetchFor(subscriptions: LeasedSubscription[]): Promise<void> {
    if (subscriptions.length === 0) return;
    const [now, from] = [this.#options.clock(), performance.now()];
    const wanted = new Map(subscriptions.map((leased) => [leased, leased.wanted]));
    for (const { fetched } of subscriptions) {
      fetched.mayHaveMore = false; // A notification during the fetch says that there is more.
      fetched.isFetching = true;
    }
    const { failed, rows } = await isolate(subscriptions, (some) => this.#query(some, wanted, now))
      .catch((error: unknown) => {
        for (const { fetched } of subscriptions) fetched.mayHaveMore = true;
        throw error;
      })
      .finally(() => {
        for (const { fetched } of subscriptions) fetched.isFetching = false;
      });
    for (const { item, error } of failed) {
      this.#reportIsolated(item.id, error);
      this.#closeIfCurrent(item, { to: "avoid" });
    }
    const bySubscription = Map.groupBy(rows, ({ subscriptionId }) => subscriptionId);
    for (const [leased, count] of wanted) {
      leased.fetched.restsUntil = restAfter(from, performance.now());
      const state = this.#states.get(leased.id);
      if (state?.name !== "delivering" || state.leased !== leased || leased.circuit.isOpen) continue;
      const deliveries = bySubscription.get(leased.id) ?? [];
      leased.fetched.add(deliveries, {
        full: deliveries.length >= count,
        isProbe: leased.circuit.isHalfOpen,
      });
      if (deliveries.length > 0) leased.lastBusyAt = now;
    }
  }

  #query(
    subscriptions: LeasedSubscription[],
    counts: Map<LeasedSubscription, number>,
    now: number,
  ): Promise<PendingDelivery[]> {
    const wanted = subscriptions.map((leased) => ({
      subscriptionId: leased.id,
      count: counts.get(leased) ?? 0,
      probe: leased.circuit.isHalfOpen,
      after: leased.fetched.readTo,
    }));
    const known = subscriptions
      .filter(({ fetched }) => fetched.readTo === null)
      .flatMap(({ unrecorded, fetched }) => [...unrecorded, ...fetched.waiting]);
    return fetchPending(this.#options.db, this.#workerId, wanted, known, new Date(now));
  }

  #endRest(): void {
    this.#restTimer = undefined;
    this.#wake();
  }

  /** Subscriptions get slots in turn, so that a long queue does not keep others waiting. */
  #send(): void {
    const delivering = this.#states.in("delivering");
    let passedOver = 0;
    while (!this.#isStopped && this.#sender.freeSlots > 0 && passedOver < delivering.size) {
      const leased = this.#nextInTurn();
      const maySend = leased?.maySend && this.#sender.hasSlotFor(leased.lease);
      const delivery = maySend ? leased.take() : undefined;
      passedOver = delivery ? 0 : passedOver + 1;
      if (leased && delivery) void this.#sender.send(leased, delivery);
    }
  }

  #nextInTurn(): LeasedSubscription | undefined {
    const next = this.#turns.next();
    if (!next.done) return next.value.leased;
    this.#turns = this.#states.in("delivering").values();
    return this.#turns.next().value?.leased;
  }
}
