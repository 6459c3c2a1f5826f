import { expect, test } from "vitest";
import { pauseAfter, planFetch } from "./backlogs.ts";
import type { LeasedSubscription } from "./leased-subscription.ts";

const subscription = (fetched: { hasBacklog?: boolean; pausedUntil?: number }, state = {}) =>
  ({
    wanted: 8,
    needsFetch: true,
    fetched: { hasBacklog: false, pausedUntil: 0, ...fetched },
    ...state,
  }) as LeasedSubscription;
const idle = subscription({}, { wanted: 0, needsFetch: false });
const needing = subscription({});
const backlog = subscription({ hasBacklog: true });
const paused = subscription({ hasBacklog: true, pausedUntil: 110 });

test("fetches a backlog concurrently with the other subscriptions, and then waits before the next fetch", () => {
  expect(planFetch([idle, needing, backlog, paused], 100)).toEqual({
    now: [needing],
    concurrently: [backlog],
    nextMs: 10,
  });
  expect(planFetch([idle, paused], 110)).toEqual({ now: [], concurrently: [paused], nextMs: null });
});

test("does not wait between fetches if all subscriptions have a backlog", () => {
  expect(planFetch([backlog, paused], 100)).toEqual({
    now: [backlog, paused],
    concurrently: [],
    nextMs: null,
  });
});

test("fetches for all subscriptions with free slots if all have a backlog and one needs a fetch", () => {
  const sated = subscription({ hasBacklog: true }, { needsFetch: false });
  const full = subscription({ hasBacklog: true }, { needsFetch: false, wanted: 0 });
  expect(planFetch([backlog, sated, full], 100).now).toEqual([backlog, sated]);
  expect(planFetch([sated, full], 100).now).toEqual([]);
});

test("waits longer after a slow fetch", () => {
  expect(pauseAfter(100, 101)).toBe(116);
  expect(pauseAfter(100, 150)).toBe(300);
});
