import { setImmediate as nextTurn } from "node:timers/promises";
import type { Announcement } from "../publish/announce.ts";
import { openSecrets } from "../signing-secret.ts";
import { planFetch, restAfter } from "./backlogs.ts";
import { Drain } from "./drain.ts";
import { fetchDue } from "./due-deliveries.ts";
import { findDueSubscriptions, giveBackLeases, type Lease, takeLeases } from "./leases.ts";
import type { PumpOptions } from "./options.ts";
import { Recorder } from "./recorder.ts";
import { Sender } from "./sender.ts";
import { Sharing } from "./sharing.ts";
import { recordUnreadable } from "./unreadable.ts";

/** How long an idle subscription stays leased, in case more comes. */
const lingerMs = 1_000;
/** How many due ones are looked up at once: looking costs what the number of all that are due costs. */
const maxFound = 1_000;
/** How long a subscription may keep its place while others wait for one. */
const turnMs = 1_000;
/** How long one whose secret cannot be read stays leased: another worker may have the key. */
const unreadableMs = 60_000;

/**
 * Drains leased subscriptions: takes leases, fetches what is due, sends within the limits, hands results to the
 * recorder, gives leases back. `step` does what can be done at the moment and is called again whenever something
 * changed; a slot that becomes free is refilled at once, whatever the others do.
 */
export class Pump {
  readonly #options: PumpOptions;
  readonly #workerId: string;
  readonly #recorder: Recorder;
  readonly #sender: Sender;
  readonly #sharing: Sharing;
  readonly #drains = new Map<string, Drain>();
  /** Goes through them again and again. */
  #turns = this.#drains.values();
  /** Due, to be leased as soon as there is a place. */
  readonly #announced = new Set<string>();
  /** Whether there may be more of them than the latest look found. */
  #foundMost = false;
  /** Leases that are to be free, as far as is known: the database has not said yet that they are. */
  readonly #returning = new Set<string>();
  /** Changed since they were read: they are leased anew as soon as they were given back. */
  readonly #changedMeanwhile = new Set<string>();
  /** Leased, but not drained, with the time until when; ms since 1970. */
  readonly #unreadable = new Map<string, number>();
  #leasing = false;
  #later: NodeJS.Timeout | undefined;
  #look = true;
  #stepping = false;
  #again = false;
  #stopped = false;

  constructor(workerId: string, options: PumpOptions) {
    this.#options = options;
    this.#workerId = workerId;
    this.#recorder = new Recorder(
      options.db,
      workerId,
      () => this.#changed(),
      (error) => options.log.error({ err: error }, "results could not be recorded; retrying"),
    );
    this.#sender = new Sender(options, this.#recorder, () => {
      this.#send(); // The slot is refilled now, not after the queries of a step.
      this.#changed();
    });
    this.#sharing = new Sharing(workerId, options);
  }

  /** Takes note of an announcement. A kind that is not known is one of a later version. */
  announced(announcement: Announcement): void {
    if (announcement.kind === "changed") this.#drop(announcement.subscription);
    else if (announcement.kind === "share") this.#sharing.asked(announcement.worker, announcement.room);
    else if (announcement.kind !== "due" || !this.#isFor(announcement.to)) return;
    else if (announcement.subscriptions === "all") this.#look = true;
    else this.#noteDue(announcement.subscriptions);
    this.#changed();
  }

  /** Looks for due deliveries in the database, whatever was announced. */
  look(): void {
    this.#look = true;
    this.#changed();
  }

  /** Sends nothing more, waits for what is on its way, records it and gives everything back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const drain of this.#drains.values()) drain.forget();
    await this.#sender.finished();
    try {
      await this.#recorder.flush();
      const ids = [...this.#drains.keys(), ...this.#unreadable.keys(), ...this.#returning];
      await giveBackLeases(this.#options.db, this.#workerId, ids);
    } catch (error) {
      this.#options.log.error({ err: error }, "leases could not be given back; they end with the session");
    }
  }

  /**
   * The session is lost. Sends nothing more; what is on its way is recorded still, unless somebody was faster to take the
   * lease over. Resolves when that is done, or `abandon` was called.
   */
  async retire(): Promise<void> {
    this.#stopped = true;
    this.#drains.clear();
    await this.#sender.finished();
    await this.#recorder.flush();
  }

  /** Leaves even that. */
  abandon(): void {
    this.#recorder.abandon();
  }

  #isFor(worker = this.#workerId): boolean {
    return worker === this.#workerId;
  }

  #noteDue(subscriptions: string[]): void {
    for (const id of subscriptions) {
      const drain = this.#drains.get(id);
      if (drain) drain.mayHaveMore = true;
      else if (!this.#sharing.isLeft(id)) this.#announced.add(id);
    }
  }

  #drop(subscriptionId: string): void {
    const drain = this.#drains.get(subscriptionId);
    const isUnreadable = this.#unreadable.has(subscriptionId);
    if (drain || isUnreadable || this.#leasing) this.#changedMeanwhile.add(subscriptionId);
    if (isUnreadable) this.#unreadable.set(subscriptionId, 0);
    drain?.close();
  }

  #changed(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (!this.#stepping) void this.#run();
  }

  async #run(): Promise<void> {
    this.#stepping = true;
    while (this.#again && !this.#stopped) {
      await nextTurn(); // Whatever changes within one turn of the event loop is one step.
      this.#again = false;
      try {
        await this.#step();
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#stepping = false;
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, "the delivery pump could not reach the database");
  }

  async #step(): Promise<void> {
    // What was to be given back must be before it is leased anew.
    if (this.#isCrowded || this.#returning.size > 0) await this.#giveBack();
    await this.#lease();
    await this.#fetch();
    this.#send();
    this.#sharing.answer(this.#drains);
    await this.#giveBack(); // Last, lest what is due waits for it.
    await this.#sharing.ask(this.#drains, this.#sender.freeSlots);
  }

  async #giveBack(): Promise<void> {
    const now = this.#options.clock();
    const done = [...this.#drains.values()].filter(
      (drain) =>
        drain.isIdle &&
        (this.#isCrowded || drain.closing || !drain.isOpen || now - drain.lastBusyAt >= lingerMs),
    );
    for (const { lease } of done) {
      this.#drains.delete(lease.subscriptionId); // What is announced from now on is leased anew.
      this.#returning.add(lease.subscriptionId);
    }
    for (const [id, until] of this.#unreadable) {
      if (until <= now && this.#unreadable.delete(id)) this.#returning.add(id);
    }
    if (this.#returning.size === 0) return;
    const ids = [...this.#returning];
    await giveBackLeases(this.#options.db, this.#workerId, ids);
    this.#returning.clear();
    const changed = ids.filter((id) => this.#changedMeanwhile.delete(id));
    this.#noteDue(changed);
    if (changed.length > 0) this.#again = true;
    await this.#sharing.returned(ids);
  }

  async #lease(): Promise<void> {
    const { db, clock } = this.#options;
    const now = clock();
    if (this.#look || (this.#foundMost && this.#announced.size === 0)) {
      this.#look = false;
      const due = await findDueSubscriptions(db, this.#workerId, new Date(now), maxFound);
      this.#foundMost = due.free.length === maxFound;
      this.#noteDue(due.free);
      this.#sharing.mayAsk = due.othersHoldSome && this.#announced.size === 0;
    }
    const candidates = [...this.#announced.values().take(Math.max(this.#places, 0))];
    for (const id of candidates) this.#announced.delete(id);
    if (this.#announced.size > 0) this.#makeRoom(now);
    if (candidates.length === 0) return;
    this.#leasing = true;
    try {
      const leases = await this.#take(candidates, now);
      const unreadable = leases.filter((lease) => !this.#begin(lease, now));
      for (const lease of unreadable) await recordUnreadable(this.#options, lease, now);
    } finally {
      this.#leasing = false;
      for (const id of this.#changedMeanwhile) {
        if (!this.#drains.has(id) && !this.#unreadable.has(id)) this.#changedMeanwhile.delete(id);
      }
    }
  }

  async #take(candidates: string[], now: number): Promise<Lease[]> {
    try {
      return await takeLeases(this.#options.db, this.#workerId, candidates, new Date(now));
    } catch (error) {
      // They may be ours nevertheless, if the connection was cut before the answer: nobody else could take them.
      for (const id of candidates) if (!this.#drains.has(id)) this.#returning.add(id);
      throw error;
    }
  }

  /** @returns whether its secrets can be read */
  #begin(lease: Lease, now: number): boolean {
    const { secretBox, gatePolicy, maxInFlightPerSubscription } = this.#options;
    const { subscriptionId } = lease;
    const secrets = openSecrets(lease, secretBox, now);
    const isChanged = this.#changedMeanwhile.has(subscriptionId);
    if (!secrets) {
      this.#unreadable.set(subscriptionId, isChanged ? 0 : now + unreadableMs);
      return false;
    }
    const drain = new Drain(lease, secrets, gatePolicy, maxInFlightPerSubscription, now);
    drain.closing = isChanged;
    this.#drains.set(subscriptionId, drain);
    return true;
  }

  /** How many more subscriptions may be leased. */
  get #places(): number {
    return this.#options.maxInFlight - this.#drains.size;
  }

  /** Whether somebody waits for a place. */
  get #isCrowded(): boolean {
    return this.#announced.size > this.#places;
  }

  /** Subscriptions that had their turn give their place to others. */
  #makeRoom(now: number): void {
    for (const drain of this.#drains.values()) if (now - drain.leasedAt >= turnMs) drain.closing = true;
  }

  async #fetch(): Promise<void> {
    const plan = planFetch([...this.#drains.values()], performance.now());
    if (plan.nextMs !== null && !this.#later) this.#later = setTimeout(() => this.#stepLater(), plan.nextMs);
    if (plan.beside.length > 0) void this.#fetchBeside(plan.beside);
    if (plan.now.length > 0) await this.#fetchFor(plan.now);
  }

  async #fetchBeside(drains: Drain[]): Promise<void> {
    try {
      await this.#fetchFor(drains);
      this.#send();
    } catch (error) {
      this.#failed(error);
    }
    this.#changed();
  }

  async #fetchFor(drains: Drain[]): Promise<void> {
    const { db, clock } = this.#options;
    const wanted = drains.map((drain) => ({
      subscriptionId: drain.lease.subscriptionId,
      count: drain.wanted,
      probe: drain.isProbing,
      after: drain.readTo,
    }));
    const fromTheBeginning = drains.filter((drain) => drain.readTo === null);
    const known = fromTheBeginning.flatMap(({ unrecorded, waiting }) => [...unrecorded, ...waiting]);
    const [now, from] = [clock(), performance.now()];
    for (const drain of drains) {
      drain.mayHaveMore = false; // An announcement meanwhile says that there is more.
      drain.isFetching = true;
    }
    const fetching = fetchDue(db, this.#workerId, wanted, known, new Date(now)).finally(() => {
      for (const drain of drains) drain.isFetching = false;
    });
    const due = Map.groupBy(await fetching, ({ subscriptionId }) => subscriptionId);
    for (const [i, drain] of drains.entries()) {
      const { subscriptionId } = drain.lease;
      drain.restsUntil = restAfter(from, performance.now());
      if (this.#drains.get(subscriptionId) !== drain || drain.closing || !drain.isOpen) continue;
      const fetched = due.get(subscriptionId) ?? [];
      drain.fetched(fetched, fetched.length >= (wanted[i]?.count ?? 0));
      if (fetched.length > 0) drain.lastBusyAt = now;
    }
  }

  #stepLater(): void {
    this.#later = undefined;
    this.#changed();
  }

  /** Subscriptions get slots in turn, so that a long queue does not push others aside. */
  #send(): void {
    let passedOver = 0;
    while (!this.#stopped && this.#sender.freeSlots > 0 && passedOver < this.#drains.size) {
      const drain = this.#nextInTurn();
      const maySend = drain?.maySend && this.#sender.hasSlotFor(drain.lease);
      const delivery = maySend ? drain.take() : undefined;
      passedOver = delivery ? 0 : passedOver + 1;
      if (drain && delivery) void this.#sender.send(drain, delivery);
    }
  }

  #nextInTurn(): Drain | undefined {
    const next = this.#turns.next();
    if (!next.done) return next.value;
    this.#turns = this.#drains.values();
    return this.#turns.next().value;
  }
}
