import { expect, test } from "vitest";
import { chooseSurplus } from "./surplus.ts";

const waiting = (inFlight: number) => ({ maySend: true, inFlight });
const full = { maySend: false, inFlight: 8 };

test.each([
  { own: 50, leases: 50, workers: 2, left: 25 },
  { own: 50, leases: 50, workers: 3, left: 33 },
  { own: 25, leases: 50, workers: 2, left: 0 },
  { own: 50, leases: 90, workers: 2, left: 5 },
  { own: 3, leases: 3, workers: 2, left: 1 },
  { own: 1, leases: 1, workers: 2, left: 0 },
  { own: 50, leases: 50, workers: 1, left: 0 },
])("leaves $left of $own if $workers workers lease $leases", ({ own, leases, workers, left }) => {
  const delivering = Array.from({ length: own }, () => waiting(2));
  expect(chooseSurplus(delivering, { leases, workers })).toHaveLength(left);
});

test("leaves subscriptions that wait for slots, with the fewest attempts in flight first", () => {
  const [three, one, seven] = [waiting(3), waiting(1), waiting(7)];
  expect(chooseSurplus([full, three, full, one, seven, full], { leases: 6, workers: 3 })).toEqual([
    one,
    three,
    seven,
  ]);
});

test("leaves nothing if it has enough slots", () => {
  expect(chooseSurplus([full, full, full, full], { leases: 4, workers: 2 })).toEqual([]);
});
