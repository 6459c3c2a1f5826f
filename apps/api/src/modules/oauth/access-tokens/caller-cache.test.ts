import { expect, test, vi } from "vitest";
import type { Caller } from "../../../http/caller.ts";
import { createCallerCache } from "./caller-cache.ts";
import type { FoundCaller } from "./find-caller.ts";

const caller: Caller = {
  organizationId: "o1",
  organizationName: "One",
  plan: "pro",
  userId: "u1",
  clientId: "c1",
  grantId: "g1",
  scopes: [],
  lostScopes: [],
};

function fixture() {
  let now = 0;
  const cache = createCallerCache(() => now);
  const find = vi.fn<() => Promise<FoundCaller>>(async () => ({ caller, expiresAt: new Date(90_000) }));
  const ask = () => cache.find("t1", find);
  return { cache, find, ask, at: (time: number) => (now = time) };
}

test("caches nothing before it is enabled or after it is disabled", async () => {
  const { cache, find, ask } = fixture();
  await ask();
  await ask();
  expect(find).toHaveBeenCalledTimes(2);
  cache.enable();
  await ask();
  await ask();
  expect(find).toHaveBeenCalledTimes(3);
  cache.disable();
  await ask();
  await ask();
  expect(find).toHaveBeenCalledTimes(5);
});

test("caches a caller for a minute, and never longer than the token is valid", async () => {
  const { cache, find, ask, at } = fixture();
  cache.enable();
  await ask();
  at(59_999);
  await ask();
  expect(find).toHaveBeenCalledTimes(1);
  at(60_000);
  await ask();
  expect(find).toHaveBeenCalledTimes(2);
  at(89_999);
  await ask();
  expect(find).toHaveBeenCalledTimes(2);
  at(90_000);
  await ask();
  expect(find).toHaveBeenCalledTimes(3);
});

test.each([
  ["grant g1", true],
  ["user u1", true],
  ["client c1", true],
  ["organization o1", true],
  ["everything", true],
  ["token t1", true],
  ["grant g2", false],
  ["user u2", false],
  ["client c2", false],
  ["organization o2", false],
  ["token t2", false],
  ["something else", false],
])("invalidating %s removes the caller: %s", async (what, forgets) => {
  const { cache, find, ask } = fixture();
  cache.enable();
  await ask();
  cache.invalidate(what);
  await ask();
  expect(find).toHaveBeenCalledTimes(forgets ? 2 : 1);
});

test("removes one of several tokens of a user with its grant, and all with the user", async () => {
  const { cache, find } = fixture();
  cache.enable();
  const ask = (token: string, grantId: string) =>
    cache.find(token, () => find().then((found) => ({ ...found, caller: { ...caller, grantId } })));
  const askBoth = async () => {
    find.mockClear();
    await ask("t1", "g1");
    await ask("t2", "g2");
    return find.mock.calls.length;
  };
  expect(await askBoth()).toBe(2);
  cache.invalidate("grant g1");
  expect(await askBoth()).toBe(1);
  cache.invalidate("user u1");
  expect(await askBoth()).toBe(2);
  expect(await askBoth()).toBe(0);
});

test("returns but does not cache a result if a change happens during the lookup", async () => {
  const { cache, find, ask } = fixture();
  cache.enable();
  find.mockImplementationOnce(async () => {
    cache.invalidate("grant g1");
    return { caller, expiresAt: new Date(90_000) };
  });
  expect(await ask()).toBe(caller);
  await ask();
  expect(find).toHaveBeenCalledTimes(2);
});

test("invalidates a caller that was cached again after a minute", async () => {
  const { cache, find, ask, at } = fixture();
  cache.enable();
  await ask();
  at(60_000);
  await ask();
  cache.invalidate("grant g1");
  await ask();
  expect(find).toHaveBeenCalledTimes(3);
});

test("does not cache unknown tokens", async () => {
  const { cache, ask } = fixture();
  cache.enable();
  expect(await cache.find("t1", async () => null)).toBeNull();
  expect(await ask()).toBe(caller);
});
