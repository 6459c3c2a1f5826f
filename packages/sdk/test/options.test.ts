import { expect, test, vi } from "vitest";
import { Parley, type ParleyOptions } from "../src/index.ts";
import { one } from "./support/replies.ts";
import { startServer } from "./support/server.ts";

const accessToken = "parley_at_0";
const baseUrl = "https://parley.example.com";

test.each<[string, unknown]>([
  ["no base URL", { accessToken }],
  ["a base URL without a scheme", { baseUrl: "parley.example.com", accessToken }],
  ["a base URL of another scheme", { baseUrl: "ftp://parley.example.com", accessToken }],
  ["no token", { baseUrl }],
  ["an empty token", { baseUrl, accessToken: "" }],
  ["a refresh token without a client", { baseUrl, tokens: { accessToken, refreshToken: "parley_rt_0" } }],
])("%s: TypeError at once", (_, options) => {
  expect(() => new Parley(options as ParleyOptions)).toThrow(TypeError);
});

test.each(["", "/", "/parley", "/parley/"])("a base URL that ends in %j", async (path) => {
  const server = await startServer(() => one({}));
  await new Parley({ baseUrl: server.baseUrl + path, accessToken }).me();
  expect(server.received[0]?.url).toBe(`${path.replace(/\/$/, "")}/api/v1/me`);
  expect(server.received[0]?.headers.authorization).toBe("Bearer parley_at_0");
});

test("another fetch", async () => {
  const urls: string[] = [];
  const fetch = async (request: Request) => {
    urls.push(request.url);
    return Response.json({ data: {}, meta: {} });
  };
  await new Parley({ baseUrl, accessToken, fetch }).me();
  expect(urls).toEqual([`${baseUrl}/api/v1/me`]);
});

test("the global fetch is looked up at each call, so that it can be patched", async () => {
  const parley = new Parley({ baseUrl, accessToken });
  vi.stubGlobal("fetch", async () => Response.json({ data: { id: "patched" }, meta: {} }));
  try {
    expect((await parley.me()).data.id).toBe("patched");
  } finally {
    vi.unstubAllGlobals();
  }
});
