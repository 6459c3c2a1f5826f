import { describe, expect, test } from "vitest";
import { z } from "zod";
import { circuitPolicy, deliveryVariables } from "../config.ts";
import { afterFailure, backoff, closedCircuit } from "./circuit-breaker.ts";

const defaultPolicy = circuitPolicy(z.object(deliveryVariables).parse({}));

const steady = { ...defaultPolicy, jitter: 0 };
const failure = (startedAt: number, now = startedAt + 10, retryAfterMs: number | null = null) => ({
  startedAt,
  now,
  retryAfterMs,
});

describe("afterFailure", () => {
  test("opens for longer after each consecutive failure", () => {
    const open: number[] = [];
    let circuit = closedCircuit;
    for (let i = 1; i <= 5; i += 1) {
      circuit = afterFailure(circuit, steady, failure(i * 10_000_000));
      open.push(circuit.openUntil - circuit.failedAt);
    }
    expect(open).toEqual([5_000, 60_000, 600_000, 3_600_000, 3_600_000]);
    expect(circuit.failures).toBe(5);
  });

  test("does not count an attempt that was in flight when a failure was recorded", () => {
    const once = afterFailure(closedCircuit, steady, failure(1_000, 2_000));
    expect(afterFailure(once, steady, failure(1_500, 9_000))).toBe(once);
    expect(afterFailure(once, steady, failure(2_001, 9_000)).failures).toBe(2);
  });

  test("waits for Retry-After up to an hour, and never shortens a backoff", () => {
    const until = (ms: number) => afterFailure(closedCircuit, steady, failure(0, 0, ms)).openUntil;
    expect(until(1)).toBe(5_000);
    expect(until(90_000)).toBe(90_000);
    expect(until(999_999_999)).toBe(3_600_000);
  });

  test("waits for the Retry-After of an attempt in flight, without counting the attempt", () => {
    const once = afterFailure(closedCircuit, steady, failure(1_000, 2_000));
    expect(afterFailure(once, steady, failure(1_500, 3_000, 1_000))).toBe(once);
    const late = failure(1_500, 3_000, 90_000);
    expect(afterFailure(once, steady, late)).toEqual({ ...once, openUntil: 93_000 });
    expect(afterFailure(once, steady, failure(0, 3_000, 999_999_999)).openUntil).toBe(3_603_000);
  });
});

test("varies backoffs randomly by 20 %", () => {
  const backoffs = Array.from({ length: 1_000 }, () => backoff(defaultPolicy, 2));
  expect(Math.min(...backoffs)).toBeGreaterThanOrEqual(48_000);
  expect(Math.max(...backoffs)).toBeLessThanOrEqual(72_000);
  expect(Math.max(...backoffs) - Math.min(...backoffs)).toBeGreaterThan(12_000);
});
