import { describe, expect, test } from "vitest";
import { afterFailure, defaultGatePolicy, openGate, pause } from "./gate.ts";

const steady = { ...defaultGatePolicy, jitter: 0 };
const failure = (startedAt: number, now = startedAt + 10, retryAfterMs: number | null = null) => ({
  startedAt,
  now,
  retryAfterMs,
});

describe("afterFailure", () => {
  test("closes for longer after each consecutive failure", () => {
    const closed: number[] = [];
    let gate = openGate;
    for (let i = 1; i <= 5; i += 1) {
      gate = afterFailure(gate, steady, failure(i * 10_000_000));
      closed.push(gate.closedUntil - gate.failedAt);
    }
    expect(closed).toEqual([5_000, 60_000, 600_000, 3_600_000, 3_600_000]);
    expect(gate.failures).toBe(5);
  });

  test("does not count an attempt that was under way when a failure was recorded", () => {
    const once = afterFailure(openGate, steady, failure(1_000, 2_000));
    expect(afterFailure(once, steady, failure(1_500, 9_000))).toBe(once);
    expect(afterFailure(once, steady, failure(2_001, 9_000)).failures).toBe(2);
  });

  test("honours Retry-After up to an hour, and never shortens a pause", () => {
    const until = (ms: number) => afterFailure(openGate, steady, failure(0, 0, ms)).closedUntil;
    expect(until(1)).toBe(5_000);
    expect(until(90_000)).toBe(90_000);
    expect(until(999_999_999)).toBe(3_600_000);
  });

  test("heeds Retry-After of an attempt that was under way, without counting it", () => {
    const once = afterFailure(openGate, steady, failure(1_000, 2_000));
    expect(afterFailure(once, steady, failure(1_500, 3_000, 1_000))).toBe(once);
    const late = failure(1_500, 3_000, 90_000);
    expect(afterFailure(once, steady, late)).toEqual({ ...once, closedUntil: 93_000 });
    expect(afterFailure(once, steady, failure(0, 3_000, 999_999_999)).closedUntil).toBe(3_603_000);
  });
});

test("pauses vary by a fifth", () => {
  const pauses = Array.from({ length: 1_000 }, () => pause(defaultGatePolicy, 2));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(48_000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(72_000);
  expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(12_000);
});
