import { readConfig } from "@parley/config";
import { beforeAll, expect, test } from "vitest";
import { apiConfig } from "../../src/config.ts";
import { as, asPlatform, startApi, useApi } from "../../src/testing/api-server.ts";
import { hashOfKey, newPlatformKey } from "../../src/testing/factories.ts";
import {
  createPlatform,
  type Platform,
  recordPath,
  sampleItem,
  samples,
} from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform(api);
});

const requests = [
  { method: "PUT", path: recordPath("lead", "ada"), body: samples.lead },
  { method: "POST", path: "/batch", body: { items: [sampleItem("lead", "ada")] } },
];

/** Calls both kinds of operations of the Platform API with an Authorization header. */
async function callBoth(authorization: string | null, at = api): Promise<Response[]> {
  const { organizationId } = platform.tenant;
  return Promise.all(
    requests.map(({ method, path, body }) =>
      at.fetch(`${at.url}/api/platform/v1/organizations/${organizationId}${path}`, {
        method,
        headers: { "content-type": "application/json", ...(authorization !== null && { authorization }) },
        body: JSON.stringify(body),
      }),
    ),
  );
}

const malformed = "The Authorization header must be `Bearer <platform key>`.";
const unknown = "The platform key is unknown. Check that PLATFORM_KEY_HASHES contains its hash.";

test.each<[name: string, authorization: () => string | null, error: string, message: string]>([
  [
    "nothing",
    () => null,
    "unauthorized",
    "The Authorization header is missing. Send `Authorization: Bearer <token>`.",
  ],
  ["only the scheme", () => "Bearer", "unauthorized", malformed],
  ["only the key", () => api.platformKey, "unauthorized", malformed],
  ["another scheme", () => `Basic ${api.platformKey}`, "unauthorized", malformed],
  ["two words", () => `Bearer ${api.platformKey} ${api.platformKey}`, "unauthorized", malformed],
  ["quotes", () => `Bearer "${api.platformKey}"`, "unauthorized", malformed],
  ["another key", () => `Bearer ${newPlatformKey()}`, "invalid_token", unknown],
  ["the key in capitals", () => `Bearer ${api.platformKey.toUpperCase()}`, "invalid_token", unknown],
  ["the key without its end", () => `Bearer ${api.platformKey.slice(0, -1)}`, "invalid_token", unknown],
  ["the key's hash", () => `Bearer ${hashOfKey(api.platformKey)}`, "invalid_token", unknown],
  ["an access token", () => `Bearer ${platform.tenant.token}`, "invalid_token", unknown],
])("rejects %s", async (_name, authorization, error, message) => {
  for (const response of await callBoth(authorization())) {
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error, error_description: message });
    const challenge = response.headers.get("www-authenticate");
    expect(challenge).toBe(
      error === "unauthorized"
        ? `Bearer realm="parley"`
        : `Bearer realm="parley", error="invalid_token", error_description="${message}"`,
    );
  }
  expect([await platform.count("lead"), await platform.events()]).toEqual([0, []]);
});

test("ignores a key in the query", async () => {
  const path = `${recordPath("lead", "ada")}?access_token=${api.platformKey}`;
  const { organizationId } = platform.tenant;
  const response = await api.fetch(`${api.url}/api/platform/v1/organizations/${organizationId}${path}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(samples.lead),
  });
  expect(response.status).toBe(401);
});

test.each(["GET /api/v1/leads", "GET /api/v1/me", "POST /api/v1/leads", "GET /api/v1/webhooks"])(
  "a platform key is not accepted for %s",
  async (line) => {
    const [method = "", path = ""] = line.split(" ");
    const response = await as(api, { token: api.platformKey })(
      method,
      path,
      method === "POST" ? {} : undefined,
    );
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: "invalid_token" });
  },
);

test("accepts the scheme in lower case", async () => {
  for (const response of await callBoth(`bearer ${api.platformKey}`)) expect(response.status).toBe(200);
});

test("there is no rate limit", async () => {
  const call = asPlatform(api, (await createPlatform(api, { plan: "starter" })).tenant.organizationId);
  const burst = Array.from({ length: 110 }, () => call("PUT", recordPath("ticket", "1"), {}));
  for (const { status, headers } of await Promise.all(burst)) {
    expect([status, headers.get("x-ratelimit-limit")]).toEqual([400, null]); // A limit would apply before the validation.
  }
});

test("accepts two keys during a rotation", async () => {
  const [old, next] = [newPlatformKey(), newPlatformKey()];
  // As people write lists, and as some tools write hashes.
  const hashes = `${hashOfKey(old)}, ${hashOfKey(next).toUpperCase()}`;
  const replacing = await startApi({ PLATFORM_KEY_HASHES: hashes });
  for (const key of [old, next]) {
    // 404: the organization lives in the other server's database, so the key was accepted.
    for (const response of await callBoth(`Bearer ${key}`, replacing)) expect(response.status).toBe(404);
  }
  for (const response of await callBoth(`Bearer ${newPlatformKey()}`, replacing))
    expect(response.status).toBe(401);
  await replacing.close();
});

test("rejects every key if none is configured", async () => {
  const shut = await startApi({ PLATFORM_KEY_HASHES: "" });
  for (const key of [shut.platformKey, "", "0"]) {
    for (const response of await callBoth(`Bearer ${key}`, shut)) expect(response.status).toBe(401);
  }
  await shut.close();
});

const goodHash = hashOfKey("parley_pk_example");

test.each([
  ["a key instead of its hash", "parley_pk_0123456789abcdef"],
  ["a hash that is too short", goodHash.slice(1)],
  ["a hash that is too long", `${goodHash}0`],
  ["a hash in base64", Buffer.from(goodHash, "hex").toString("base64")],
  ["a hash with openssl's second word", `${goodHash} *stdin`],
  ["a bad one behind a good one", `${goodHash},abc`],
  ["a comma too many", `${goodHash},`],
  ["semicolons", `${goodHash};${goodHash}`],
])("does not start with %s, and names the variable", (_name, hashes) => {
  const others = {
    DATABASE_URL: "postgresql://127.0.0.1/parley",
    PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
  };
  const { PLATFORM_KEY_HASHES: read } = readConfig(apiConfig, { ...others, PLATFORM_KEY_HASHES: goodHash });
  expect(read).toEqual([Buffer.from(goodHash, "hex")]);
  const start = () => readConfig(apiConfig, { ...others, PLATFORM_KEY_HASHES: hashes });
  expect(start).toThrow("PLATFORM_KEY_HASHES must be SHA-256 hashes in hex, separated by commas (received ");
  expect(start).not.toThrow(hashes); // It may be a key.
});
