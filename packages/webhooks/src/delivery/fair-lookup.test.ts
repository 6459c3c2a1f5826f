import { beforeEach, expect, test, vi } from "vitest";
import { fairLookup, type Lookup } from "./fair-lookup.ts";

type Callback = Parameters<typeof resolve>[2];

/** Names of pending lookups. */
let asked: Map<string, Parameters<Lookup>[2]>;
let resolve: ReturnType<typeof fairLookup>;
beforeEach(() => {
  asked = new Map();
  resolve = fairLookup((name, _options, response) => void asked.set(name, response));
});

function response(name: string, error: Error | null = null): void {
  const reply = asked.get(name);
  asked.delete(name);
  reply?.(error, error ? [] : [{ address: "8.8.8.8", family: 4 }]);
}

test("shares one lookup among concurrent requests for a name", () => {
  const callback = vi.fn<Callback>();
  for (let i = 0; i < 8; i += 1) resolve("a", {}, callback);
  expect([...asked.keys()]).toEqual(["a"]);
  response("a");
  expect(callback.mock.calls).toEqual(Array(8).fill([null, [{ address: "8.8.8.8", family: 4 }]]));
  resolve("a", {}, callback);
  expect([...asked.keys()]).toEqual(["a"]);
});

test("names with unresponsive servers delay only names that have not resolved quickly before", () => {
  resolve("proven", {}, () => {});
  response("proven");
  for (const name of ["silent 1", "silent 2", "silent 3", "new"]) resolve(name, {}, () => {});
  expect([...asked.keys()]).toEqual(["silent 1", "silent 2"]);
  resolve("proven", {}, () => {});
  expect([...asked.keys()]).toEqual(["silent 1", "silent 2", "proven"]);
  response("silent 1", new Error("ETIMEOUT"));
  response("silent 2", new Error("ETIMEOUT"));
  expect([...asked.keys()]).toEqual(["proven", "silent 3", "new"]);
});

test("a name that resolves slowly or fails no longer counts as fast", () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  resolve("slow", {}, () => {});
  response("slow");
  resolve("slow", {}, () => {});
  now.mockReturnValue(1_500);
  response("slow");
  for (const name of ["silent 1", "silent 2", "slow"]) resolve(name, {}, () => {});
  expect([...asked.keys()]).toEqual(["silent 1", "silent 2"]);
  now.mockRestore();
});
