import { afterFailure, type Gate, type GatePolicy, openGate } from "../delivery/gate.ts";
import type { DueDelivery } from "./due-deliveries.ts";
import type { Lease } from "./leases.ts";

/** A leased subscription while it is being drained: what is waiting, what is on its way, and its gate. */
export class Drain {
  readonly lease: Lease;
  readonly secret: string;
  readonly #policy: GatePolicy;
  readonly #maxInFlight: number;

  /** Fetched, not sent. */
  waiting: DueDelivery[] = [];
  /** Sent or recorded soon: ids of which the database does not know the outcome yet. */
  readonly unrecorded = new Set<string>();
  inFlight = 0;
  gate: Gate;
  failed = false;
  /** Whether the database may hold more that is due. */
  mayHaveMore = true;
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

  constructor(lease: Lease, secret: string, policy: GatePolicy, maxInFlight: number, now: number) {
    this.lease = lease;
    this.secret = secret;
    this.#policy = policy;
    this.#maxInFlight = maxInFlight;
    this.gate = { ...openGate, failures: lease.failureCount };
    this.leasedAt = now;
    this.lastBusyAt = now;
  }

  /** Whether another secret signs since this was leased. */
  secretIsOld(now: number): boolean {
    const at = this.lease.nextSecretAt?.getTime();
    return at !== undefined && this.leasedAt < at && at <= now;
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

  /** How many deliveries to fetch; 0 when enough are waiting or none may be sent. */
  get wanted(): number {
    if (this.closing || this.isFetching || !this.mayHaveMore || !this.isOpen) return 0;
    if (this.isProbing) return this.inFlight + this.waiting.length === 0 ? 1 : 0;
    return this.waiting.length < this.#maxInFlight ? 4 * this.#maxInFlight - this.waiting.length : 0;
  }

  /** Whether nothing is left to do here. */
  get isIdle(): boolean {
    return !this.isFetching && this.waiting.length === 0 && this.wanted === 0 && this.unrecorded.size === 0;
  }

  /** Nothing more is sent. */
  close(): void {
    this.closing = true;
    this.waiting = [];
  }

  take(): DueDelivery | undefined {
    const delivery = this.waiting.shift();
    if (!delivery) return undefined;
    this.unrecorded.add(delivery.id);
    this.inFlight += 1;
    return delivery;
  }

  /** @returns whether the gate changed, so that it must be recorded */
  succeeded(): boolean {
    const changed = this.gate.failures > 0;
    this.gate = openGate;
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
    const before = this.gate;
    this.gate = afterFailure(before, this.#policy, failure);
    const fails = failure.gone || this.gate.failures >= this.#policy.maxFailures;
    const changed = this.gate !== before || fails !== this.failed;
    this.failed ||= fails;
    this.waiting = [];
    return changed;
  }
}
