import { beforeEach, expect, test } from "vitest";
import type { Drain } from "./drain.ts";
import type { PumpOptions } from "./options.ts";
import { Sharing } from "./sharing.ts";

let sharing: Sharing;
beforeEach(() => {
  const limits = { maxInFlight: 128, maxInFlightPerSubscription: 8 };
  sharing = new Sharing("1", { ...limits, clock: () => 0 } as PumpOptions);
});

const heldBack: Partial<Drain> = { isBusy: true, maySend: true, closing: false, inFlight: 2 };
const full: Partial<Drain> = { isBusy: true, maySend: false, closing: false, inFlight: 8 };
const idle: Partial<Drain> = { isBusy: false, maySend: false, closing: false, inFlight: 0 };

/** Drains named 0, 1, 2, … */
function drains(states: Partial<Drain>[]): Map<string, Drain> {
  return new Map(
    states.map((state, i) => {
      const drain = { ...state, lease: { subscriptionId: `${i}` } } as Drain;
      drain.close = () => Object.assign(drain, { closing: true, maySend: false });
      return [`${i}`, drain];
    }),
  );
}

/** The names of those that close when a worker asks. */
function given(all: Map<string, Drain>, room: number, worker = "2"): string[] {
  const open = [...all].filter(([, drain]) => !drain.closing);
  sharing.asked(worker, room);
  sharing.answer(all);
  const closed = open.filter(([, drain]) => drain.closing).map(([name]) => name);
  expect(closed.every((name) => sharing.isLeft(name))).toBe(true);
  return closed;
}

const times = (count: number, state: Partial<Drain>) => Array.from({ length: count }, () => state);

test.each([
  { busy: 50, room: 128, share: 25 },
  { busy: 50, room: 64, share: 16 },
  { busy: 128, room: 8, share: 7 },
  { busy: 3, room: 128, share: 1 },
  { busy: 1, room: 4_096, share: 0 },
])("of $busy busy ones $share go to a worker that has room for $room attempts beside 128", (example) => {
  const all = drains([...times(example.busy, heldBack), ...times(9, idle)]);
  expect(given(all, example.room)).toHaveLength(example.share);
});

test("only those go that are held back, with the fewest on their way first", () => {
  const all = drains([
    full,
    { ...heldBack, inFlight: 3 },
    full,
    heldBack,
    idle,
    { ...heldBack, inFlight: 7 },
  ]);
  expect(given(all, 128)).toEqual(["1", "3"]);
  expect(given(drains(times(10, full)), 128)).toEqual([]);
});

test("what is about to go counts for the next that asks", () => {
  const all = drains(times(50, heldBack));
  expect(given(all, 128)).toHaveLength(25);
  expect(given(all, 128)).toEqual([]);
  expect(given(all, 128, "3")).toEqual([]);
});

test("a worker gives nothing to itself", () => {
  expect(given(drains(times(50, heldBack)), 128, "1")).toEqual([]);
});
