import { join } from "node:path";
import { eventTypes } from "@parley/contract";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runDay } from "../src/day/run-day.ts";
import { type Child, type Commands, startChild } from "../src/harness/child.ts";

let database: TestDatabase;
const children: Child<Commands>[] = [];

function start<Served extends Commands>(module: string): Child<Served> {
  const child = startChild<Served>(join(import.meta.dirname, "../src", module));
  children.push(child);
  return child;
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.stop()));
  await database.release();
});

test("delivers every event that the model predicts for a day exactly once, and no other event", async () => {
  const report = await runDay({ databaseUrl: database.url, start, seed: 7, conversations: 100 });
  expect(report.problems).toEqual([]);

  const { all, filtered, others } = report.subscriptions;
  expect(eventTypes.filter((type) => !all.types.get(type)?.expected)).toEqual([]);
  expect(filtered.types.size).toBeGreaterThan(10);
  expect(others.types.size).toBe(0);
  expect(report.tally.failed).toBeGreaterThan(5);
}, 240_000);
