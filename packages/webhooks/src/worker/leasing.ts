import { notify, pendingNotification } from "../notifications.ts";
import { decryptSecrets } from "../signing-secret.ts";
import { isolate } from "./isolate.ts";
import { LeasedSubscription } from "./leased-subscription.ts";
import {
  type AllLeases,
  findOrganizations,
  findPendingSubscriptions,
  type Lease,
  returnLeases,
  takeLeases,
} from "./leases.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import { Paces } from "./pace.ts";
import { reportIsolated } from "./reports.ts";
import { mayUse } from "./shares.ts";
import { Step } from "./step.ts";
import type { Next, SubscriptionStates } from "./subscription-states.ts";
import { chooseSurplus } from "./surplus.ts";
import { recordUnreadable } from "./unreadable.ts";

/** Time that an idle subscription stays leased, because more deliveries may follow. */
const idleLeaseMs = 1_000;
/** Minimum time that a busy subscription stays leased while others wait to be leased. */
const busyLeaseMs = 1_000;
/** A search of the database that takes longer is followed by a pause, of this multiple of its duration. */
const quickLookMs = 50;
const lookPauseFactor = 10;
/** Maximum number of pending subscriptions that one query returns. The query reads all of them, so few queries are better. */
const maxFound = 10_000;
/** Time that a subscription with an unreadable secret stays leased. Then another worker, which may have the key, can try. */
const unreadableMs = 60_000;
/** Time for which a subscription that makes statements fail is skipped. */
const isolatedMs = 60_000;
/** Time for which a subscription is left to other workers. Afterwards this worker may lease it again. */
const leftMs = 1_000;
/** Time after which the lease of a locked subscription is returned again. */
const lockedRetryMs = 100;
/** Maximum number of waiting subscriptions that one pass examines, if there are more than places. */
const mostExamined = 1_000;
/** Maximum number of subscriptions whose organization is remembered. */
const mostRemembered = 100_000;
/** Maximum number of leased subscriptions that only wait for their rate limit, in addition to the others. */
const maxPaced = 1_000;

/** Takes leases of subscriptions with pending deliveries, up to the worker's limit, and returns leases that are not needed. */
export class Leasing {
  readonly steps: { look: Step; take: Step; return: Step };
  /** Whether to search the database for pending deliveries, because notifications may be lost. */
  lookRequested = true;
  readonly #workerId: string;
  readonly #options: DeliveryLoopOptions;
  readonly #states: SubscriptionStates;
  readonly #wake: () => void;
  readonly #paces = new Paces();
  /** Organizations of subscriptions that waited to be leased. */
  readonly #organizations = new Map<string, string>();
  #isLooking = false;
  /** The database is not searched again before this time; ms of the monotonic clock. */
  #looksAfter = 0;
  /** Whether the database may contain more subscriptions with pending deliveries than the last search returned. */
  #mayFindMore = false;

  /** @param wake called when a pass is needed again */
  constructor(workerId: string, options: DeliveryLoopOptions, states: SubscriptionStates, wake: () => void) {
    this.#workerId = workerId;
    this.#options = options;
    this.#states = states;
    this.#wake = wake;
    this.steps = {
      look: new Step("lease", options, wake),
      take: new Step("lease", options, wake),
      return: new Step("return", options, wake),
    };
  }

  /** Whether leases must be returned before others can be taken. */
  get mustReturn(): boolean {
    return this.#othersWait || this.#states.in("returning").size > 0;
  }

  /**
   * Searches the database for pending deliveries if requested. Runs concurrently with passes, because it passes all rows of deleted deliveries
   * that PostgreSQL cannot remove yet, and pauses for several times as long.
   */
  look(): void {
    const wanted = this.lookRequested || (this.#mayFindMore && this.#states.in("announced").size === 0);
    if (!wanted || this.#isLooking || performance.now() < this.#looksAfter) return;
    this.#isLooking = true;
    void this.steps.look
      .run(() => this.#look())
      .then((succeeded) => {
        this.#isLooking = false;
        if (succeeded && this.#states.in("announced").size > 0) this.#wake();
      });
  }

  /** Leases announced subscriptions, up to the limit. */
  async take(): Promise<void> {
    await this.steps.take.run(async () => {
      const now = this.#options.clock();
      const announced = this.#states.in("announced");
      const candidates = await this.#chooseCandidates();
      for (const id of candidates) this.#states.set(id, { name: "leasing", changed: false, pending: false });
      if (announced.size > 0) this.#endLongLeases(now);
      if (candidates.length === 0) return;
      const leases = await this.#takeLeases(candidates, now);
      const unreadable = leases.filter((lease) => !this.#begin(lease, now));
      for (const lease of unreadable) await recordUnreadable(this.#options, lease, now);
    });
  }

  /** Returns the leases that are no longer needed. */
  async return(): Promise<void> {
    const now = this.#options.clock();
    this.#endUnneeded(now);
    const ids = [...this.#states.in("returning")].flatMap(([id, { notBefore }]) =>
      notBefore <= now ? [id] : [],
    );
    if (ids.length === 0) return;
    await this.steps.return.run(async () => {
      const { rows: locked, failed } = await isolate(ids, (some) =>
        returnLeases(this.#options.db, this.#workerId, some),
      );
      for (const { item, error } of failed) reportIsolated(this.#options, item, error);
      const later = new Map([
        ...locked.map((id) => [id, lockedRetryMs] as const),
        ...failed.map(({ item }) => [item, isolatedMs] as const),
      ]);
      for (const id of ids) {
        const afterMs = later.get(id);
        if (afterMs === undefined) this.#endReturn(id, now);
        else this.#postponeReturn(id, now + afterMs);
      }
      const left = ids.filter((id) => this.#states.get(id)?.name === "avoided");
      if (left.length > 0) await notify(this.#options.db, pendingNotification(left));
    });
  }

  /** Starts to leave subscriptions to other workers, if this one has more than its share. */
  leaveSurplus({ workers, leases }: AllLeases): void {
    const delivering = [...this.#states.in("delivering").values()].map(({ leased }) => leased);
    // Subscriptions that were left a moment ago may not be leased yet. Workers share them too.
    const all = { workers, leases: leases + this.#states.in("avoided").size };
    for (const { id } of chooseSurplus(delivering, all)) this.#states.close(id, { to: "leave" });
  }

  /** Returns the announced subscriptions to lease now. If there are not enough places, the organizations share them. */
  async #chooseCandidates(): Promise<string[]> {
    const announced = this.#states.in("announced");
    const { maxInFlight: most } = this.#options;
    let used = this.#usedPlaces;
    if (used >= most) return [];
    if (mayUse({ most, used: used + announced.size - 1, usedByOne: 1, organizations: 1 }))
      return [...announced.keys()];
    const waiting = [...announced.keys().take(mostExamined)];
    const organizations = await this.#organizationsOf(waiting);
    const usedBy = new Map<string, number>(waiting.map((id) => [organizations.get(id) ?? "", 0]));
    usedBy.delete("");
    for (const { organizationId } of this.#leases())
      usedBy.set(organizationId, (usedBy.get(organizationId) ?? 0) + 1);
    const candidates: string[] = [];
    for (const id of waiting) {
      if (this.#states.get(id)?.name !== "announced") continue; // It changed in the meantime.
      const organization = organizations.get(id);
      if (organization === undefined) {
        this.#states.set(id, null); // It was deleted.
        continue;
      }
      const usedByOne = usedBy.get(organization) ?? 0;
      if (mayUse({ most, used, usedByOne, organizations: usedBy.size })) {
        candidates.push(id);
        usedBy.set(organization, usedByOne + 1);
        used += 1;
      } else if (announced.size > mostExamined) this.#states.moveToEnd(id);
    }
    return candidates;
  }

  async #organizationsOf(subscriptions: string[]): Promise<ReadonlyMap<string, string>> {
    if (this.#organizations.size > mostRemembered) this.#organizations.clear();
    const unknown = subscriptions.filter((id) => !this.#organizations.has(id));
    if (unknown.length > 0) {
      for (const [id, organization] of await findOrganizations(this.#options.db, unknown)) {
        this.#organizations.set(id, organization);
      }
    }
    return this.#organizations;
  }

  /** Returns the leases that use a place. Subscriptions that wait for their rate limit, or only for the recording of their last results, use none. */
  *#leases(): Generator<Lease> {
    for (const { leased } of this.#states.in("closing").values()) yield leased.lease;
    for (const { leased } of this.#states.in("delivering").values()) {
      if (!leased.isPaced && leased.mayDeliver) yield leased.lease;
    }
  }

  #postponeReturn(id: string, notBefore: number): void {
    const state = this.#states.get(id);
    if (state?.name === "returning") this.#states.set(id, { ...state, notBefore });
  }

  async #look(): Promise<void> {
    const [now, from] = [this.#options.clock(), performance.now()];
    this.lookRequested = false;
    try {
      const free = await findPendingSubscriptions(this.#options.db, new Date(now), maxFound);
      this.#mayFindMore = free.length === maxFound;
      for (const id of free) this.#states.pending(id, now);
      const took = performance.now() - from;
      this.#looksAfter = took < quickLookMs ? 0 : from + lookPauseFactor * took;
    } catch (error) {
      this.lookRequested = true;
      throw error;
    }
  }

  /** Leases the candidates that are free, and removes the others from the list. */
  async #takeLeases(candidates: string[], now: number): Promise<Lease[]> {
    try {
      const { rows, failed } = await isolate(candidates, (ids) =>
        takeLeases(this.#options.db, this.#workerId, ids, new Date(now)),
      );
      for (const { item, error } of failed) {
        reportIsolated(this.#options, item, error);
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
      // The leases may have been taken, because the connection may have been lost after the commit.
      for (const id of candidates) this.#states.startReturn(id, { to: "lease" });
      throw error;
    }
  }

  /** Starts delivering to a leased subscription. @returns whether its secrets can be decrypted */
  #begin(lease: Lease, now: number): boolean {
    const id = lease.subscriptionId;
    const state = this.#states.get(id);
    if (state?.name !== "leasing") return true; // The loop is stopped: the lease ends with the session.
    const secrets = decryptSecrets(lease, this.#options.secretBox, now);
    if (!secrets) {
      const [until, next]: [number, Next] = state.changed
        ? [0, { to: "lease" }]
        : [now + unreadableMs, { to: "forget" }];
      this.#states.set(id, { name: "unreadable", until, next });
      return false;
    }
    const pace = lease.rateLimit ? this.#paces.of(id, lease.rateLimit, performance.now()) : undefined;
    const leased = new LeasedSubscription(lease, secrets, this.#options, now, pace);
    this.#states.set(id, { name: "delivering", leased });
    if (state.changed) this.#states.close(id, { to: "lease" });
    return true;
  }

  /** Number of places that are used. More than `maxPaced` subscriptions that wait for their rate limit use places too. */
  get #usedPlaces(): number {
    const paced = [...this.#states.in("delivering").values()].filter(({ leased }) => leased.isPaced).length;
    return [...this.#leases()].length + Math.max(paced - maxPaced, 0);
  }

  /** Whether subscriptions wait to be leased. */
  get #othersWait(): boolean {
    const waiting = this.#states.in("announced").size;
    return waiting > 0 && waiting > this.#options.maxInFlight - this.#usedPlaces;
  }

  /** Ends leases of subscriptions that have been leased for long and have sent something, while others wait to be leased. */
  #endLongLeases(now: number): void {
    for (const { leased } of this.#states.in("delivering").values()) {
      if (leased.hasSent && now - leased.leasedAt >= busyLeaseMs) leased.end();
    }
  }

  /** Moves every subscription whose lease is no longer needed to `returning`. */
  #endUnneeded(now: number): void {
    const othersWait = this.#othersWait;
    for (const [id, { leased }] of this.#states.in("delivering")) {
      const { fetched, circuit, lastBusyAt } = leased;
      if (!leased.isSettled || leased.wanted > 0) continue;
      if (othersWait || fetched.isEnding || circuit.isOpen || now - lastBusyAt >= idleLeaseMs) {
        const hasMore = fetched.isEnding && fetched.mayHaveMore && !circuit.isOpen;
        this.#states.startReturn(id, { to: hasMore ? "lease" : "forget" });
      }
    }
    for (const [id, { leased, next }] of this.#states.in("closing")) {
      if (leased.isSettled) this.#states.startReturn(id, next);
    }
    for (const [id, { until, next }] of this.#states.in("unreadable")) {
      if (until <= now) this.#states.startReturn(id, next);
    }
    for (const [id, { until }] of this.#states.in("avoided")) if (until <= now) this.#states.set(id, null);
  }

  #endReturn(id: string, now: number): void {
    const state = this.#states.get(id);
    if (state?.name !== "returning") return;
    const { next } = state;
    if (next.to === "forget") this.#states.set(id, null);
    else if (next.to === "avoid") this.#states.set(id, { name: "avoided", until: now + isolatedMs });
    else if (next.to === "leave") this.#states.set(id, { name: "avoided", until: now + leftMs });
    else {
      this.#states.set(id, { name: "announced" });
      this.#wake();
    }
  }
}
