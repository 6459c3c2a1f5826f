/**
 * A failed attempt closes the subscription's gate. When it opens again one single probe is sent; any success resets
 * everything. Attempts that were in flight when a failure was recorded belong to the same outage: they don't count, but what
 * they ask for with `Retry-After` is heeded.
 */
export interface Gate {
  /** Consecutive failures. */
  failures: number;
  /** When the last failure that counted was recorded; ms since 1970. */
  failedAt: number;
  /** Nothing is sent before this time; ms since 1970. */
  closedUntil: number;
}

export interface GatePolicy {
  /** Milliseconds of silence after the n-th consecutive failure. */
  pausesMs: number[];
  /** Share of a pause by which it varies up or down at random. */
  jitter: number;
  /** Consecutive failures after which a subscription is failed. */
  maxFailures: number;
  /** Longest `Retry-After` that is honoured, in milliseconds. */
  maxRetryAfterMs: number;
}

export const defaultGatePolicy: GatePolicy = {
  pausesMs: [5_000, 60_000, 600_000, 3_600_000],
  jitter: 0.2,
  maxFailures: 5,
  maxRetryAfterMs: 3_600_000,
};

export const openGate: Gate = { failures: 0, failedAt: 0, closedUntil: 0 };

/**
 * The gate after a failed attempt.
 *
 * @param startedAt when the attempt was started; ms since 1970, as `now`
 */
export function afterFailure(
  gate: Gate,
  policy: GatePolicy,
  { startedAt, now, retryAfterMs }: { startedAt: number; now: number; retryAfterMs: number | null },
): Gate {
  const asked = Math.min(retryAfterMs ?? 0, policy.maxRetryAfterMs);
  if (gate.failures > 0 && startedAt <= gate.failedAt) {
    const isLonger = asked > 0 && now + asked > gate.closedUntil;
    return isLonger ? { ...gate, closedUntil: now + asked } : gate;
  }
  const failures = gate.failures + 1;
  return { failures, failedAt: now, closedUntil: now + Math.max(pause(policy, failures), asked) };
}

/** Milliseconds to wait after the n-th failure, varied so that many subscriptions don't return at once. */
export function pause({ pausesMs, jitter }: GatePolicy, failures: number): number {
  const base = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0;
  return Math.round(base * (1 + jitter * (2 * Math.random() - 1)));
}
