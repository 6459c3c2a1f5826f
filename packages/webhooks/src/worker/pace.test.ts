import { expect, test } from "vitest";
import { Pace, Paces } from "./pace.ts";

/** Sends whenever it is allowed, checked every millisecond. @returns the times of the deliveries */
function sendFor(pace: Pace, fromMs: number, toMs: number): number[] {
  const sent: number[] = [];
  for (let now = fromMs; now < toMs; now += 1) {
    while (pace.waitMs(now) === 0) {
      pace.sent(now);
      sent.push(now);
    }
  }
  return sent;
}

test.each([1, 2, 7, 10, 30, 100, 1_000])(
  "%i per second: as many in each second as allowed, and hardly more in any",
  (rate) => {
    const pace = new Pace(rate);
    const first = sendFor(pace, 0, 3_000);
    const sent = [...first, ...sendFor(pace, 10_000, 12_000)];
    expect(first.length).toBeGreaterThanOrEqual(3 * rate - 1);
    for (const at of sent) {
      const within = sent.filter((other) => other >= at && other < at + 1_000).length;
      expect(within).toBeLessThanOrEqual(rate + Math.max(rate / 10, 1));
    }
  },
);

test("says how long to wait", () => {
  const pace = new Pace(2);
  expect(pace.waitMs(1_000)).toBe(0);
  pace.sent(1_000);
  expect(pace.waitMs(1_200)).toBe(300);
  expect(pace.waitMs(1_500)).toBe(0);
});

test("a pace outlasts a lease, until it has no effect or the rate changes", () => {
  const paces = new Paces();
  const pace = paces.of("a", 1, 0);
  pace.sent(0);
  expect(paces.of("a", 1, 500)).toBe(pace);
  expect(paces.of("a", 2, 500)).not.toBe(pace);
  paces.of("b", 1, 500).sent(500);
  const later = paces.of("b", 1, 1_600);
  expect(later.waitMs(1_600)).toBe(0);
});

test("the pace of a subscription that was leased for long before it sent something outlasts the lease too", () => {
  const paces = new Paces();
  const pace = paces.of("a", 1, 0);
  paces.of("b", 1, 1_000);
  pace.sent(2_000);
  expect(paces.of("a", 1, 2_010).waitMs(2_010)).toBe(990);
});
