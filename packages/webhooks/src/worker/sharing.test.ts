import type { Pool } from "pg";
import { beforeEach, expect, test } from "vitest";
import type { LeasedSubscription } from "./leased-subscription.ts";
import { Sharing } from "./sharing.ts";
import { SubscriptionStates } from "./subscription-states.ts";

let states: SubscriptionStates;
let sharing: Sharing;
beforeEach(() => {
  states = new SubscriptionStates();
  const limits = { maxInFlight: 128, maxInFlightPerSubscription: 8 };
  sharing = new Sharing("1", { ...limits, clock: () => 0, db: {} as Pool }, states);
});

type Example = Partial<Pick<LeasedSubscription, "isBusy" | "maySend" | "inFlight">>;

const heldBack: Example = { isBusy: true, maySend: true, inFlight: 2 };
const full: Example = { isBusy: true, maySend: false, inFlight: 8 };
const idle: Example = { isBusy: false, maySend: false, inFlight: 0 };

/** Delivers to subscriptions with the ids 0, 1, 2, … */
function deliverTo(examples: Example[]): void {
  for (const [i, example] of examples.entries()) {
    const leased = { ...example, id: `${i}`, fetched: { clear() {} } } as LeasedSubscription;
    states.set(leased.id, { name: "delivering", leased });
  }
}

/** Requests a share. @returns the IDs of the subscriptions that are closed for it */
function ask(freeSlots: number, worker = "2"): string[] {
  const before = new Set(states.in("closing").keys());
  sharing.asked(worker, freeSlots);
  sharing.startHandOver();
  const closed = [...states.in("closing")].filter(([id]) => !before.has(id));
  expect(closed.every(([, { next }]) => next.to === "hand over" && next.worker === worker)).toBe(true);
  return closed.map(([id]) => id);
}

const times = (count: number, example: Example) => Array.from({ length: count }, () => example);

test.each([
  { busy: 50, freeSlots: 128, share: 25 },
  { busy: 50, freeSlots: 64, share: 16 },
  { busy: 128, freeSlots: 8, share: 7 },
  { busy: 3, freeSlots: 128, share: 1 },
  { busy: 1, freeSlots: 4_096, share: 0 },
])(
  "hands $share of $busy busy subscriptions to a worker with freeSlots for $freeSlots attempts",
  (example) => {
    deliverTo([...times(example.busy, heldBack), ...times(9, idle)]);
    expect(ask(example.freeSlots)).toHaveLength(example.share);
  },
);

test("hands over subscriptions that wait for slots, with the fewest attempts in flight first", () => {
  deliverTo([full, { ...heldBack, inFlight: 3 }, full, heldBack, idle, { ...heldBack, inFlight: 7 }]);
  expect(ask(128).toSorted()).toEqual(["1", "3"]);
});

test("hands over nothing if it has enough slots", () => {
  deliverTo(times(10, full));
  expect(ask(128)).toEqual([]);
});

test("counts subscriptions that are being handed over when the next worker asks", () => {
  deliverTo(times(50, heldBack));
  expect(ask(128)).toHaveLength(25);
  expect(ask(128)).toEqual([]);
  expect(ask(128, "3")).toEqual([]);
});

test("hands over nothing to itself", () => {
  deliverTo(times(50, heldBack));
  expect(ask(128, "1")).toEqual([]);
});
