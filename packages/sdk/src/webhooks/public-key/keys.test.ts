import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WebhookPublicKeysError, webhookPublicKeys } from "./keys.ts";

const url = "https://parley.example.com/.well-known/parley/o/webhook-keys.json";
const keysOf = (kid: string) => [{ kty: "OKP", crv: "Ed25519", x: "x", kid }];

/** Returns a source whose server returns the next key with each response, and fails with `down`. */
function fixture() {
  const server = { down: false, time: 0, requests: 0 };
  async function fetch(): Promise<Response> {
    server.requests += 1;
    if (server.down) throw new TypeError("fetch failed");
    return Response.json({ keys: keysOf(`${server.requests}`) });
  }
  const publicKeys = webhookPublicKeys(url, { fetch, now: () => server.time });
  const kid = async (keys: ReturnType<typeof publicKeys.get>) => (await keys)[0]?.kid;
  return { server, get: () => kid(publicKeys.get()), refresh: () => kid(publicKeys.refresh()) };
}

describe("the cache", () => {
  test("loads the keys once for concurrent calls, and again after five minutes", async () => {
    const { server, get } = fixture();
    expect(await Promise.all([get(), get(), get()])).toEqual(["1", "1", "1"]);
    server.time = 299_999;
    expect(await get()).toBe("1");
    server.time = 300_000;
    expect(await get()).toBe("2");
  });

  test("loads the keys again on request, at most once in ten seconds", async () => {
    const { server, get, refresh } = fixture();
    await get();
    server.time = 9_999;
    for (let i = 0; i < 100; i += 1) expect(await refresh()).toBe("1");
    server.time = 10_000;
    expect(await Promise.all([refresh(), refresh()])).toEqual(["2", "2"]);
    expect(await get()).toBe("2");
    expect(server.requests).toBe(2);
  });

  test("uses the known keys for up to an hour while the server is down", async () => {
    const { server, get, refresh } = fixture();
    await get();
    server.down = true;
    for (const time of [300_000, 1_000_000, 3_599_999]) {
      server.time = time;
      expect([await get(), await refresh()]).toEqual(["1", "1"]);
    }
    expect(server.requests).toBe(4);
    server.time = 3_600_000;
    await expect(get()).rejects.toThrow(WebhookPublicKeysError);
    server.down = false;
    server.time += 10_000;
    expect(await get()).toBe("5");
  });

  test("sends at most one request in ten seconds while no keys are known", async () => {
    const { server, get } = fixture();
    server.down = true;
    for (let i = 0; i < 100; i += 1) await expect(get()).rejects.toThrow(WebhookPublicKeysError);
    expect(server.requests).toBe(1);
    server.down = false;
    server.time = 10_000;
    expect(await get()).toBe("2");
  });
});

describe("rejects", () => {
  test.each([
    "http://parley.example.com/keys",
    "http://localhost.example.com/",
    "ftp://localhost/",
    "keys.json",
    "",
  ])("the URL %j", (wrong) => expect(() => webhookPublicKeys(wrong)).toThrow(TypeError));

  test.each([
    ["an error status", () => Response.json({ error: "not_found" }, { status: 404 })],
    ["a redirect", () => Response.redirect("https://other.example.com/")],
    ["another document", () => Response.json({ keys: "none" })],
    ["HTML", () => new Response("<html>")],
  ])("%s, with the URL and the cause", async (_, respond) => {
    const error = await webhookPublicKeys(url, { fetch: async () => respond() })
      .get()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: "WebhookPublicKeysError",
      message: `The public keys could not be loaded from ${url}`,
      cause: expect.any(Error),
    });
  });
});

test("loads from this machine over HTTP, and gives up after the timeout", async () => {
  let isSlow = false;
  const server = createServer((_request, response) => {
    if (!isSlow) response.end(JSON.stringify({ keys: keysOf("real") }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await vi.waitFor(() => expect(server.address()).not.toBeNull());
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  expect(await webhookPublicKeys(local).get()).toEqual(keysOf("real"));
  isSlow = true;
  await expect(webhookPublicKeys(local, { timeoutMs: 50 }).get()).rejects.toMatchObject({
    cause: { name: "TimeoutError" },
  });
});
