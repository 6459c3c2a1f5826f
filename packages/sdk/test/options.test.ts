import { expect, test, vi } from "vitest";
import { Parley, type ParleyOptions } from "../src/index.ts";
import { dataResponse } from "./support/responses.ts";
import { startTestServer } from "./support/server.ts";

const accessToken = "parley_at_0";
const baseUrl = "https://parley.example.com";

test.each<[string, unknown]>([
  ["a missing baseUrl", { accessToken }],
  ["a baseUrl without a scheme", { baseUrl: "parley.example.com", accessToken }],
  ["a baseUrl with another scheme", { baseUrl: "ftp://parley.example.com", accessToken }],
  ["a missing access token", { baseUrl }],
  ["an empty access token", { baseUrl, accessToken: "" }],
  ["a refresh token without clientId", { baseUrl, tokens: { accessToken, refreshToken: "parley_rt_0" } }],
])("throws a TypeError for %s", (_, options) => {
  expect(() => new Parley(options as ParleyOptions)).toThrow(TypeError);
});

test.each(["", "/", "/parley", "/parley/"])("accepts a baseUrl that ends with %j", async (path) => {
  const server = await startTestServer(() => dataResponse({}));
  await new Parley({ baseUrl: server.baseUrl + path, accessToken }).me();
  expect(server.received[0]?.url).toBe(`${path.replace(/\/$/, "")}/api/v1/me`);
  expect(server.received[0]?.headers.authorization).toBe("Bearer parley_at_0");
});

test("sends requests with the fetch option", async () => {
  const urls: string[] = [];
  const fetch = async (request: Request) => {
    urls.push(request.url);
    return Response.json({ data: {}, meta: {} });
  };
  await new Parley({ baseUrl, accessToken, fetch }).me();
  expect(urls).toEqual([`${baseUrl}/api/v1/me`]);
});

test("uses a global fetch that is patched later", async () => {
  const parley = new Parley({ baseUrl, accessToken });
  vi.stubGlobal("fetch", async () => Response.json({ data: { id: "patched" }, meta: {} }));
  try {
    expect((await parley.me()).data.id).toBe("patched");
  } finally {
    vi.unstubAllGlobals();
  }
});
