import { beforeEach, expect, test } from "vitest";
import type { PendingDelivery } from "./pending-deliveries.ts";
import { QueueBeginnings } from "./queue-beginnings.ts";

let beginnings: QueueBeginnings;
beforeEach(() => {
  beginnings = new QueueBeginnings();
});

/** A delivery that is due at this second of a minute. */
function due(second: number, attempts = 0): PendingDelivery {
  return { nextAt: `2026-11-24 10:00:${second}.5+00`, attempts } as PendingDelivery;
}

/** Reads the queue from where it begins. @returns the second at which the next read begins; null for the true beginning */
function read(pending: PendingDelivery[], at: number): number | null {
  beginnings.wasRead("1", pending, beginnings.of("1", at), at);
  return secondOf(at);
}

function secondOf(at: number): number | null {
  const nextAt = beginnings.of("1", at)?.nextAt;
  return nextAt === undefined ? null : Date.parse(nextAt) / 1_000 - Date.UTC(2026, 10, 24, 10) / 1_000;
}

test("begins ten seconds before the newest delivery, also when it is no longer pending", () => {
  expect(read([due(30), due(40)], 0)).toBe(20.5);
  expect(read([due(40)], 1)).toBe(30.5);
  expect(read([], 2)).toBe(30.5);
  expect(read([due(50)], 3)).toBe(40.5);
  expect(read([], 4)).toBe(40.5);
});

test("begins ten seconds before the oldest delivery that is pending", () => {
  expect(read([due(20, 3), due(50)], 0)).toBe(10.5);
});

test("does not rely on the times of later attempts, which are those of another clock", () => {
  expect(read([due(50, 1)], 0)).toBeNull();
  read([due(30)], 1);
  expect(read([due(50, 1)], 2)).toBe(20.5);
});

test("begins at the true beginning every minute", () => {
  read([due(30)], 0);
  read([due(31)], 40_000);
  expect(secondOf(59_999)).toBe(21.5);
  expect(secondOf(60_000)).toBeNull();
  expect(read([due(32)], 60_000)).toBe(22.5);
  expect(secondOf(119_999)).toBe(22.5);
});

test("begins at the true beginning for a queue that was not read, or was forgotten", () => {
  read([due(30)], 0);
  expect(beginnings.of("2", 0)).toBeNull();
  beginnings.forget("1");
  expect(secondOf(0)).toBeNull();
});

test("remembers the 10,000 queues that were read last", () => {
  for (let i = 0; i < 10_001; i += 1) beginnings.wasRead(`${i}`, [due(30)], null, 0);
  expect(beginnings.of("0", 0)).toBeNull();
  expect(beginnings.of("1", 0)).not.toBeNull();
});
