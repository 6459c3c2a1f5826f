import type { KeyObject } from "node:crypto";
import { keyAt } from "../signing-key.ts";
import type { Secrets } from "../signing-secret.ts";
import { FetchedDeliveries } from "./fetched-deliveries.ts";
import type { Lease } from "./leases.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import type { Pace } from "./pace.ts";
import type { PendingDelivery } from "./pending-deliveries.ts";
import { type Failure, SubscriptionCircuit } from "./subscription-circuit.ts";

type Limits = Pick<DeliveryLoopOptions, "circuitPolicy" | "maxInFlightPerSubscription">;

/** Maximum number of results that wait to be recorded while deliveries are sent. */
const mostUnrecorded = 1_000;

/** A leased subscription: its fetched deliveries, its attempts and its circuit breaker. */
export class LeasedSubscription {
  readonly lease: Lease;
  readonly fetched = new FetchedDeliveries();
  readonly circuit: SubscriptionCircuit;
  /** Deliveries in flight, or sent and not yet recorded. */
  readonly unrecorded = new Set<PendingDelivery>();
  inFlight = 0;
  /** Whether a delivery was sent during this lease. */
  hasSent = false;
  /** When the lease was taken; ms since 1970. */
  readonly leasedAt: number;
  /** When deliveries were last fetched or sent; ms since 1970. */
  lastBusyAt: number;
  readonly #secrets: Secrets;
  readonly #maxInFlight: number;
  readonly #pace: Pace | undefined;

  /**
   * @param now ms since 1970
   * @param pace if the subscription has a rate limit
   */
  constructor(lease: Lease, secrets: Secrets, limits: Limits, now: number, pace?: Pace) {
    this.lease = lease;
    this.circuit = new SubscriptionCircuit(limits.circuitPolicy, lease);
    this.#secrets = secrets;
    this.#maxInFlight = limits.maxInFlightPerSubscription;
    this.#pace = pace;
    this.leasedAt = now;
    this.lastBusyAt = now;
  }

  get id(): string {
    return this.lease.subscriptionId;
  }

  /** Returns the secret that signs at a time; ms since 1970. */
  secretAt(now: number): string {
    const { now: current, next } = this.#secrets;
    return next && next.from <= now ? next.secret : current;
  }

  /** Returns the private key that signs at a time, ms since 1970; undefined without `public_key_signature`. */
  signingKeyAt(now: number): KeyObject | undefined {
    return keyAt(this.#secrets.signingKeys, now);
  }

  /** Headers that the subscription adds to its deliveries. */
  get headers(): Readonly<Record<string, string>> {
    return this.#secrets.headers;
  }

  /** All deliveries that the worker has: fetched, in flight, or not yet recorded. */
  get deliveries(): PendingDelivery[] {
    return [...this.unrecorded, ...this.fetched.all];
  }

  /** Whether the events of each record are delivered in order. */
  get isOrdered(): boolean {
    return this.lease.ordering === "record";
  }

  /** Whether this subscription's limits allow sending a delivery now. */
  get maySend(): boolean {
    return this.fetched.waiting.length > 0 && this.#freeSlots > 0 && this.#waitMs === 0;
  }

  /** Milliseconds until the rate limit allows sending the next waiting delivery; null if nothing waits for that. */
  get sendsInMs(): number | null {
    if (!this.#pace || this.fetched.waiting.length === 0 || this.#freeSlots <= 0) return null;
    return this.#waitMs || null;
  }

  /** Whether deliveries only wait for the rate limit. */
  get isPaced(): boolean {
    return this.inFlight === 0 && this.sendsInMs !== null;
  }

  /** Whether deliveries are waiting to be sent or are in flight. */
  get isBusy(): boolean {
    return this.fetched.count + this.inFlight > 0;
  }

  /** Number of deliveries to fetch; 0 if none may be sent. */
  get wanted(): number {
    const { isFetching, isEnding, mayHaveMore, count } = this.fetched;
    if (isFetching || isEnding || !mayHaveMore || this.circuit.isOpen) return 0;
    if (this.circuit.isHalfOpen) return this.isBusy ? 0 : 1;
    return Math.max(this.#readAhead - count, 0);
  }

  /** Whether to fetch now, so that a delivery is waiting when a slot becomes free. */
  get needsFetch(): boolean {
    return this.fetched.waiting.length < Math.min(this.#maxInFlight, this.#readAhead) && this.wanted > 0;
  }

  /** Whether deliveries are waiting or in flight, or may be fetched. */
  get mayDeliver(): boolean {
    return this.isBusy || this.fetched.isFetching || this.wanted > 0;
  }

  /** Whether nothing is waiting, in flight, being fetched or being recorded. */
  get isSettled(): boolean {
    return !this.fetched.isFetching && this.fetched.count === 0 && this.unrecorded.size === 0;
  }

  /** Takes the next delivery for an attempt. */
  take(): PendingDelivery | undefined {
    const delivery = this.fetched.take();
    if (!delivery) return undefined;
    this.unrecorded.add(delivery);
    this.inFlight += 1;
    this.hasSent = true;
    this.#pace?.sent(performance.now());
    return delivery;
  }

  /** Fetches and sends nothing more. The lease ends when the attempts in flight are recorded. */
  end(): void {
    this.fetched.isEnding = true;
    if (this.fetched.count === 0) return;
    this.fetched.clear();
    this.fetched.mayHaveMore = true;
  }

  /** Handles that the outcome of an attempt is recorded. */
  recorded(delivery: PendingDelivery): void {
    this.unrecorded.delete(delivery);
    this.fetched.recorded(delivery);
  }

  /** Applies a successful attempt. @returns whether the circuit changed */
  attemptSucceeded(now: number): boolean {
    const changed = this.circuit.attemptSucceeded(now);
    if (changed) this.fetched.mayHaveMore = true; // While the circuit breaker was half-open, only the probe was fetched.
    return changed;
  }

  /** Applies a failed attempt and drops the fetched deliveries. @returns whether the circuit changed */
  attemptFailed(failure: Failure): boolean {
    const wasFailed = this.circuit.failed;
    const changed = this.circuit.attemptFailed(failure);
    if (!wasFailed) this.fetched.clear();
    return changed;
  }

  /** Maximum number of deliveries that are fetched before they can be sent. With a rate limit, those of half a second. */
  get #readAhead(): number {
    const most = 4 * this.#maxInFlight;
    return this.#pace ? Math.min(most, Math.ceil(this.#pace.perSecond / 2)) : most;
  }

  get #waitMs(): number {
    return this.#pace?.waitMs(performance.now()) ?? 0;
  }

  get #freeSlots(): number {
    if (this.circuit.isOpen || this.unrecorded.size >= mostUnrecorded) return 0;
    return (this.circuit.isHalfOpen ? 1 : this.#maxInFlight) - this.inFlight;
  }
}
