import { expect, test } from "vitest";
import { planFetch, restAfter } from "./backlogs.ts";
import type { Drain } from "./drain.ts";

const drain = (state: Partial<Drain>) =>
  ({ wanted: 8, isHungry: true, hasBacklog: false, restsUntil: 0, ...state }) as Drain;
const idle = drain({ wanted: 0, isHungry: false });
const hungry = drain({});
const backlog = drain({ hasBacklog: true });
const resting = drain({ hasBacklog: true, restsUntil: 110 });

test("a backlog is fetched for beside the others, and rests", () => {
  expect(planFetch([idle, hungry, backlog, resting], 100)).toEqual({
    now: [hungry],
    beside: [backlog],
    nextMs: 10,
  });
  expect(planFetch([idle, resting], 110)).toEqual({ now: [], beside: [resting], nextMs: null });
});

test("where everybody has a backlog nobody rests", () => {
  expect(planFetch([backlog, resting], 100)).toEqual({ now: [backlog, resting], beside: [], nextMs: null });
});

test("where everybody has a backlog who is hungry has all others fetched for that have room", () => {
  const sated = drain({ hasBacklog: true, isHungry: false });
  const full = drain({ hasBacklog: true, isHungry: false, wanted: 0 });
  expect(planFetch([backlog, sated, full], 100).now).toEqual([backlog, sated]);
  expect(planFetch([sated, full], 100).now).toEqual([]);
});

test("the rest is longer where the fetch took long", () => {
  expect(restAfter(100, 101)).toBe(116);
  expect(restAfter(100, 150)).toBe(300);
});
