import { expect, test } from "vitest";
import { planFetch, restAfter } from "./backlogs.ts";
import type { LeasedSubscription } from "./leased-subscription.ts";

const subscription = (fetched: { hasBacklog?: boolean; restsUntil?: number }, state = {}) =>
  ({
    wanted: 8,
    isHungry: true,
    fetched: { hasBacklog: false, restsUntil: 0, ...fetched },
    ...state,
  }) as LeasedSubscription;
const idle = subscription({}, { wanted: 0, isHungry: false });
const hungry = subscription({});
const backlog = subscription({ hasBacklog: true });
const resting = subscription({ hasBacklog: true, restsUntil: 110 });

test("fetches a backlog concurrently with the others, and lets it rest", () => {
  expect(planFetch([idle, hungry, backlog, resting], 100)).toEqual({
    now: [hungry],
    concurrently: [backlog],
    nextMs: 10,
  });
  expect(planFetch([idle, resting], 110)).toEqual({ now: [], concurrently: [resting], nextMs: null });
});

test("lets no backlog rest if all subscriptions have one", () => {
  expect(planFetch([backlog, resting], 100)).toEqual({
    now: [backlog, resting],
    concurrently: [],
    nextMs: null,
  });
});

test("fetches for all that have room if all have a backlog and one is hungry", () => {
  const sated = subscription({ hasBacklog: true }, { isHungry: false });
  const full = subscription({ hasBacklog: true }, { isHungry: false, wanted: 0 });
  expect(planFetch([backlog, sated, full], 100).now).toEqual([backlog, sated]);
  expect(planFetch([sated, full], 100).now).toEqual([]);
});

test("rests longer after a slow fetch", () => {
  expect(restAfter(100, 101)).toBe(116);
  expect(restAfter(100, 150)).toBe(300);
});
