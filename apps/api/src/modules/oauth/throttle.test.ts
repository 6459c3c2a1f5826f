import { expect, test } from "vitest";
import { createThrottle } from "./throttle.ts";

const limits = [
  { key: "pair", failures: 2 },
  { key: "network", failures: 3 },
];

test("blocks until the window of the first failure ends", () => {
  let now = 0;
  const throttle = createThrottle(1000, () => now);
  throttle.fail(limits);
  now = 400;
  expect(throttle.blockedFor(limits)).toBe(0);
  throttle.fail(limits);
  expect(throttle.blockedFor(limits)).toBe(600);
  now = 999;
  expect(throttle.blockedFor(limits)).toBe(1);
  now = 1000;
  expect(throttle.blockedFor(limits)).toBe(0);
});

test("any limit that is reached blocks, others' keys do not", () => {
  const throttle = createThrottle(1000, () => 0);
  for (const key of ["a", "b", "c"])
    throttle.fail([
      { key, failures: 2 },
      { key: "network", failures: 3 },
    ]);
  expect(
    throttle.blockedFor([
      { key: "d", failures: 2 },
      { key: "network", failures: 3 },
    ]),
  ).toBe(1000);
  expect(throttle.blockedFor([{ key: "a", failures: 2 }])).toBe(0);
});

test("a right attempt takes back its own count alone", () => {
  const throttle = createThrottle(1000, () => 0);
  throttle.fail(limits);
  throttle.fail(limits);
  throttle.forgive(limits);
  expect(throttle.blockedFor(limits)).toBe(0);
  throttle.fail(limits);
  expect(throttle.blockedFor(limits)).toBe(1000);
});

test("keeps a bounded number of keys, the newest", () => {
  const throttle = createThrottle(1000, () => 0);
  for (let i = 0; i < 25_000; i++) throttle.fail([{ key: `key ${i}`, failures: 1 }]);
  expect(throttle.blockedFor([{ key: "key 0", failures: 1 }])).toBe(0);
  expect(throttle.blockedFor([{ key: "key 24999", failures: 1 }])).toBe(1000);
});
