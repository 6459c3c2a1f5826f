/**
 * Circuit breaker of a subscription. While it is closed, deliveries are sent. A failed attempt opens it, and nothing is sent until the
 * backoff ends. Then it is half-open: one probe is sent. If the probe succeeds, it closes. If the probe fails, it opens for longer.
 *
 * Attempts that were in flight when a failure was recorded belong to the same outage. They are not counted, but their `Retry-After` is
 * used.
 */
export interface Circuit {
  /** Consecutive failures; 0 when the circuit is closed. */
  failures: number;
  /** When the last counted failure was recorded; ms since 1970. */
  failedAt: number;
  /** Nothing is sent before this time; ms since 1970, 0 when the circuit is closed or half-open. */
  openUntil: number;
}

export interface CircuitPolicy {
  /** Backoff after the n-th consecutive failure, in milliseconds. */
  backoffMs: number[];
  /** Fraction by which a backoff varies randomly, up or down. */
  jitter: number;
  /** Consecutive failures after which the subscription's status becomes `failed`. */
  maxFailures: number;
  /** Longest time to wait for a `Retry-After`, in milliseconds. */
  maxRetryAfterMs: number;
}

export const closedCircuit: Circuit = { failures: 0, failedAt: 0, openUntil: 0 };

/**
 * Returns the circuit after a failed attempt; the same object if nothing changes.
 *
 * @param startedAt when the attempt started; ms since 1970, like `now`
 */
export function afterFailure(
  circuit: Circuit,
  policy: CircuitPolicy,
  { startedAt, now, retryAfterMs }: { startedAt: number; now: number; retryAfterMs: number | null },
): Circuit {
  const asked = Math.min(retryAfterMs ?? 0, policy.maxRetryAfterMs);
  if (circuit.failures > 0 && startedAt <= circuit.failedAt) {
    const isLonger = asked > 0 && now + asked > circuit.openUntil;
    return isLonger ? { ...circuit, openUntil: now + asked } : circuit;
  }
  const failures = circuit.failures + 1;
  return { failures, failedAt: now, openUntil: now + Math.max(backoff(policy, failures), asked) };
}

/** Returns the milliseconds to wait after the n-th failure, varied so that many subscriptions do not retry together. */
export function backoff({ backoffMs, jitter }: CircuitPolicy, failures: number): number {
  const base = backoffMs[Math.min(failures, backoffMs.length) - 1] ?? 0;
  return Math.round(base * (1 + jitter * (2 * Math.random() - 1)));
}
