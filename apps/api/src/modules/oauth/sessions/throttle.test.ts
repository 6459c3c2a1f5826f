import { expect, test } from "vitest";
import { throttleInMemory } from "./throttle-in-memory.ts";

const limits = [
  { key: "pair", failures: 2 },
  { key: "network", failures: 3 },
];
const one = (key: string) => [{ key, failures: 1 }];

test("blocks until the window of the first failure ends, and counts nothing while it blocks", async () => {
  let now = 0;
  const throttle = throttleInMemory({ windowMs: 1000, clock: () => now });
  expect(await throttle.attempt(limits)).toBe(0);
  now = 400;
  expect(await throttle.attempt(limits)).toBe(0);
  expect(await throttle.attempt(limits)).toBe(600);
  now = 999;
  expect(await throttle.attempt(limits)).toBe(1);
  now = 1000;
  expect(await throttle.attempt(limits)).toBe(0);
});

test("blocks if any limit is reached, and not because of other keys", async () => {
  const throttle = throttleInMemory({ windowMs: 1000, clock: () => 0 });
  const from = (key: string) => [
    { key, failures: 2 },
    { key: "network", failures: 3 },
  ];
  for (const key of ["a", "b", "c"]) expect(await throttle.attempt(from(key))).toBe(0);
  expect(await throttle.attempt(from("d"))).toBe(1000);
  expect(await throttle.attempt([{ key: "a", failures: 2 }])).toBe(0);
});

test("a successful attempt subtracts only its own count", async () => {
  const throttle = throttleInMemory({ windowMs: 1000, clock: () => 0 });
  await throttle.attempt(limits);
  await throttle.attempt(limits);
  await throttle.forgive(limits);
  expect(await throttle.attempt(limits)).toBe(0);
  expect(await throttle.attempt(limits)).toBe(1000);
});

test("stores a limited number of keys, the newest", async () => {
  const throttle = throttleInMemory({ windowMs: 1000, clock: () => 0 });
  for (let i = 0; i < 25_000; i++) await throttle.attempt(one(`key ${i}`));
  expect(await throttle.attempt(one("key 0"))).toBe(0);
  expect(await throttle.attempt(one("key 24999"))).toBe(1000);
});
