import {
  afterFailure,
  type Circuit,
  type CircuitPolicy,
  closedCircuit,
} from "../delivery/circuit-breaker.ts";

/** Failed attempt, as input of the circuit breaker. */
export interface Failure {
  /** When the attempt started; ms since 1970, like `now`. */
  startedAt: number;
  now: number;
  retryAfterMs: number | null;
  /** Whether the receiver responded with 410 Gone, which means that it wants no more deliveries. */
  gone: boolean;
}

/**
 * Circuit breaker of a leased subscription. Only subscriptions with a closed or half-open circuit are leased, so once it opens, it
 * stays open until the lease is returned.
 */
export class SubscriptionCircuit {
  readonly #policy: CircuitPolicy;
  #circuit: Circuit;
  /** Whether nothing was delivered since the last failure before this lease. */
  #unproven: boolean;
  /** Whether the next success ends the gap of the subscription. */
  #hasGap: boolean;
  /** End of the receiver's `Retry-After`; ms since 1970. */
  #retryAfterUntil = 0;
  /** Whether the subscription's status is `failed`. */
  failed = false;

  constructor(policy: CircuitPolicy, before: { failureCount: number; unproven: boolean; hasGap: boolean }) {
    this.#policy = policy;
    this.#circuit = { ...closedCircuit, failures: before.failureCount };
    this.#unproven = before.unproven;
    this.#hasGap = before.hasGap;
  }

  /** Consecutive failures. */
  get failures(): number {
    return this.#circuit.failures;
  }

  /** Nothing is sent before this time; ms since 1970, 0 when the circuit is not open. */
  get openUntil(): number {
    return this.#circuit.openUntil;
  }

  /** Whether nothing may be sent. */
  get isOpen(): boolean {
    return this.failed || this.#circuit.openUntil > 0;
  }

  /** Whether only one probe may be sent. */
  get isHalfOpen(): boolean {
    return !this.isOpen && this.#circuit.failures > 0;
  }

  /** Whether the receiver fails for all deliveries, so that no single delivery is the cause. */
  get isOutage(): boolean {
    return this.failed || this.#unproven || this.#circuit.failures > 1;
  }

  /**
   * Closes the circuit after a success, but not before the `Retry-After` of another attempt ends.
   *
   * @returns whether it changed, so that the change must be recorded
   */
  attemptSucceeded(now: number): boolean {
    if (this.failed) return false; // This attempt was in flight when the subscription failed, so its success does not change the status.
    const changed = this.#circuit.failures > 0 || this.#unproven || this.#hasGap;
    this.#circuit = { ...closedCircuit, openUntil: this.#retryAfterUntil > now ? this.#retryAfterUntil : 0 };
    this.#unproven = false;
    this.#hasGap = false;
    return changed;
  }

  /**
   * Opens the circuit, or fails the subscription after the maximum number of failures or if the receiver is gone.
   *
   * @returns whether it changed, so that the change must be recorded
   */
  attemptFailed(failure: Failure): boolean {
    if (this.failed) return false;
    const before = this.#circuit;
    this.#circuit = afterFailure(before, this.#policy, failure);
    const askedMs = Math.min(failure.retryAfterMs ?? 0, this.#policy.maxRetryAfterMs);
    if (askedMs > 0) this.#retryAfterUntil = Math.max(this.#retryAfterUntil, failure.now + askedMs);
    this.failed = failure.gone || this.#circuit.failures >= this.#policy.maxFailures;
    return this.#circuit !== before || this.failed;
  }
}
