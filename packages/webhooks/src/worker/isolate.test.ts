import pg from "pg";
import { expect, test } from "vitest";
import { isolate } from "./isolate.ts";

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("failed", 0, "error"), { code });
}

/** Returns a statement that fails with a SQLSTATE if it reads one of the bad items. */
function failingFor(bad: number[], code = "22P02") {
  const runs: number[][] = [];
  const run = async (items: number[]) => {
    runs.push(items);
    if (items.some((item) => bad.includes(item))) throw databaseError(code);
    return items.map((item) => item * 10);
  };
  return { run, runs };
}

test("runs the statement once if nothing fails", async () => {
  const { run, runs } = failingFor([]);
  expect(await isolate([1, 2, 3], run)).toEqual({ rows: [10, 20, 30], failed: [] });
  expect(runs).toHaveLength(1);
});

test("returns the rows of the items that do not fail", async () => {
  const items = Array.from({ length: 100 }, (_, i) => i);
  const { run, runs } = failingFor([7, 93]);
  const { rows, failed } = await isolate(items, run);
  expect(failed.map(({ item }) => item)).toEqual([7, 93]);
  expect(rows).toEqual(items.filter((i) => i !== 7 && i !== 93).map((i) => i * 10));
  expect(runs.length).toBeLessThan(32);
});

test("does not run the statement without items", async () => {
  const { run, runs } = failingFor([]);
  expect(await isolate([], run)).toEqual({ rows: [], failed: [] });
  expect(runs).toEqual([]);
});

test.each(["40P01", "53300", "57P01", "08006", "42P01", "XX000"])(
  "throws errors that are not data errors (%s)",
  async (code) => {
    const { run, runs } = failingFor([2], code);
    await expect(isolate([1, 2, 3], run)).rejects.toMatchObject({ code });
    expect(runs).toHaveLength(1);
  },
);

test("throws connection errors", async () => {
  const lost = new Error("Connection terminated unexpectedly");
  await expect(isolate([1, 2], () => Promise.reject(lost))).rejects.toBe(lost);
});
