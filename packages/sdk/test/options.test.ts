import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as sdk from "../src/index.ts";
import { Parley, type ParleyOptions } from "../src/index.ts";
import { dataResponse } from "./support/responses.ts";
import { startTestServer } from "./support/server.ts";

const accessToken = "parley_at_0";
const baseUrl = "https://parley.example.com";

beforeEach(() => {
  for (const name of ["PARLEY_URL", "PARLEY_TOKEN", "PARLEY_PLATFORM_KEY"]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

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
  expect((await parley.me()).data.id).toBe("patched");
});

describe("environment variables", () => {
  test("are the server and the token of a client without options", async () => {
    const server = await startTestServer(() => dataResponse({}));
    vi.stubEnv("PARLEY_URL", server.baseUrl);
    vi.stubEnv("PARLEY_TOKEN", "parley_at_env");
    await new Parley().me();
    expect(server.received[0]?.headers.authorization).toBe("Bearer parley_at_env");
  });

  test("are the server and the key of a Platform API client without options", async () => {
    const server = await startTestServer(() => dataResponse([]));
    vi.stubEnv("PARLEY_URL", server.baseUrl);
    vi.stubEnv("PARLEY_PLATFORM_KEY", "parley_pk_env");
    await new sdk.ParleyPlatform().organization("o").batch([]);
    expect(server.received[0]?.headers.authorization).toBe("Bearer parley_pk_env");
  });

  test("are the server of the OAuth functions", async () => {
    vi.stubEnv("PARLEY_URL", `${baseUrl}/`);
    const request = { clientId: "client", redirectUri: "https://app.example.com/", scopes: [] };
    expect(sdk.authorizeUrl(request)).toContain(`${baseUrl}/api/oauth/authorize?`);
    expect(sdk.handleCallback(`?code=c&state=s&iss=${baseUrl}`, { state: "s" }).code).toBe("c");
    const server = await startTestServer(() => ({}));
    vi.stubEnv("PARLEY_URL", server.baseUrl);
    await sdk.revoke({ clientId: "client", token: "t" });
    expect(server.received[0]?.url).toBe("/api/oauth/revoke");
  });

  test("are ignored for options that are given", async () => {
    vi.stubEnv("PARLEY_URL", "https://env.example.com");
    vi.stubEnv("PARLEY_TOKEN", "parley_at_env");
    vi.stubEnv("PARLEY_PLATFORM_KEY", "parley_pk_env");
    const server = await startTestServer(() => dataResponse([]));
    await new Parley({ baseUrl: server.baseUrl, accessToken }).me();
    await new Parley({ baseUrl: server.baseUrl, tokens: { accessToken: "parley_at_1" } }).me();
    const platform = new sdk.ParleyPlatform({ baseUrl: server.baseUrl, platformKey: "parley_pk_0" });
    await platform.organization("o").batch([]);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer parley_at_0",
      "Bearer parley_at_1",
      "Bearer parley_pk_0",
    ]);
    expect(() => new Parley({ baseUrl: "" })).toThrow(TypeError);
    expect(() => new Parley({ accessToken: "" })).toThrow(TypeError);
    expect(() => new sdk.ParleyPlatform({ platformKey: "" })).toThrow(TypeError);
  });

  test("are named by the error for a missing option", () => {
    expect(() => new Parley({ accessToken })).toThrow(/^baseUrl \(or PARLEY_URL\) must be/);
    expect(() => new Parley({ baseUrl })).toThrow(/^accessToken \(or PARLEY_TOKEN\) must be/);
    expect(() => new sdk.ParleyPlatform({ baseUrl })).toThrow(/^platformKey \(or PARLEY_PLATFORM_KEY\) is/);
  });

  test.each([undefined, {}])("are not required where process is %o", (process) => {
    vi.stubGlobal("process", process);
    const create = [
      () => new Parley({ baseUrl, accessToken }),
      () => new Parley(),
      () => new sdk.ParleyPlatform(),
    ];
    const results = create.map((run) => {
      try {
        return run();
      } catch (error) {
        return error;
      }
    });
    vi.unstubAllGlobals();
    expect(results).toEqual([expect.any(Parley), expect.any(TypeError), expect.any(TypeError)]);
  });
});
