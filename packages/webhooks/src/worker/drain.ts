import { afterFailure, type Gate, type GatePolicy, openGate } from "../delivery/gate.ts";
import type { Secrets } from "../signing-secret.ts";
import type { DueDelivery, Place } from "./due-deliveries.ts";
import type { Lease } from "./leases.ts";

/** A leased subscription while it is being drained: what is waiting, what is on its way, and its gate. */
export class Drain {
  readonly lease: Lease;
  readonly #secrets: Secrets;
  readonly #policy: GatePolicy;
  readonly #maxInFlight: number;

  /** Fetched, not sent. */
  waiting: DueDelivery[] = [];
  /** Sent or recorded soon: the database does not know the outcome yet. */
  readonly unrecorded = new Set<DueDelivery>();
  inFlight = 0;
  gate: Gate;
  failed = false;
  /** Whether nothing was delivered since the latest failure of an earlier outage. */
  #unproven: boolean;
  /** Whether the database may hold more that is due. */
  mayHaveMore = true;
  /**
   * How far a long queue was read, so that the next fetch does not pass over what was sent meanwhile. One that was committed
   * late may stand before it: when the queue is read to its end, reading begins anew.
   */
  readTo: Place | null = null;
  /** Whether the latest fetch left more behind: a backlog is being worked off. */
  hasBacklog = false;
  /** While it has one and others are active, nothing is fetched before; ms of the monotonic clock. */
  restsUntil = 0;
  isFetching = false;
  readonly leasedAt: number;
  /** When it last had something to do; ms since 1970. */
  lastBusyAt: number;
  /** Set when another subscription needs the place, or this one was changed or lost: nothing more is fetched. */
  closing = false;

  constructor(lease: Lease, secrets: Secrets, policy: GatePolicy, maxInFlight: number, now: number) {
    this.lease = lease;
    this.#secrets = secrets;
    this.#policy = policy;
    this.#maxInFlight = maxInFlight;
    this.gate = { ...openGate, failures: lease.failureCount };
    this.#unproven = lease.unproven;
    this.leasedAt = now;
    this.lastBusyAt = now;
  }

  /** The secret that signs at a time; ms since 1970. */
  secretAt(now: number): string {
    const { now: current, next } = this.#secrets;
    return next && next.from <= now ? next.secret : current;
  }

  /** Whether the receiver fails altogether, so that no single delivery is to blame for it. */
  get isOutage(): boolean {
    return this.failed || this.#unproven || this.gate.failures > 1;
  }

  get isOpen(): boolean {
    return !this.failed && this.gate.closedUntil === 0;
  }

  /** After a failure one single probe goes out when the gate opens again. */
  get isProbing(): boolean {
    return this.gate.failures > 0;
  }

  /** How many more may be sent right now. */
  get freeSlots(): number {
    if (!this.isOpen) return 0;
    return (this.isProbing ? 1 : this.#maxInFlight) - this.inFlight;
  }

  /** Whether there is something to send right now, as far as it alone is concerned. */
  get maySend(): boolean {
    return this.waiting.length > 0 && this.freeSlots > 0;
  }

  /** Whether something is waiting or on its way. */
  get isBusy(): boolean {
    return this.waiting.length + this.inFlight > 0;
  }

  /** How many deliveries there is room for; 0 when none may be sent. */
  get wanted(): number {
    if (this.closing || this.isFetching || !this.mayHaveMore || !this.isOpen) return 0;
    if (this.isProbing) return this.inFlight + this.waiting.length === 0 ? 1 : 0;
    return 4 * this.#maxInFlight - this.waiting.length;
  }

  /** Whether it should be fetched for, lest nothing is waiting when a slot becomes free. */
  get isHungry(): boolean {
    return this.waiting.length < this.#maxInFlight && this.wanted > 0;
  }

  /** Whether nothing is left to do here. */
  get isIdle(): boolean {
    return !this.isFetching && this.waiting.length === 0 && this.wanted === 0 && this.unrecorded.size === 0;
  }

  /** Takes what was fetched. @param full whether as many came as were asked for */
  fetched(deliveries: DueDelivery[], full: boolean): void {
    this.waiting.push(...deliveries);
    this.hasBacklog = full;
    const last = deliveries.at(-1);
    if (full || this.readTo) this.mayHaveMore = true;
    this.readTo = full && last && !this.isProbing ? { nextAt: last.nextAt, id: last.id } : null;
  }

  /** Nothing more is sent. */
  close(): void {
    this.closing = true;
    this.forget();
  }

  /** Lets go of what was fetched and not sent; it stays in the database. */
  forget(): void {
    this.waiting = [];
    this.readTo = null;
  }

  take(): DueDelivery | undefined {
    const delivery = this.waiting.shift();
    if (!delivery) return undefined;
    this.unrecorded.add(delivery);
    this.inFlight += 1;
    return delivery;
  }

  /** @returns whether the gate changed, so that it must be recorded */
  succeeded(): boolean {
    if (this.failed) return false; // It was on its way when the subscription failed; that takes nothing back.
    const changed = this.gate.failures > 0 || this.#unproven;
    this.gate = openGate;
    this.#unproven = false;
    if (changed) this.mayHaveMore = true; // A probe was fetched alone.
    return changed;
  }

  /**
   * Closes the gate, or fails the subscription after the last failure that is tolerated, or at once when the receiver
   * is gone. What was fetched stays in the database and is due later.
   *
   * @returns whether the gate changed, so that it must be recorded
   */
  failedOnce(failure: {
    startedAt: number;
    now: number;
    retryAfterMs: number | null;
    gone: boolean;
  }): boolean {
    if (this.failed) return false;
    const before = this.gate;
    this.gate = afterFailure(before, this.#policy, failure);
    this.failed = failure.gone || this.gate.failures >= this.#policy.maxFailures;
    this.forget();
    return this.gate !== before || this.failed;
  }
}
