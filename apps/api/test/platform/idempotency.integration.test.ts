import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ItemType } from "../../src/modules/platform/items.ts";
import { asPlatform, useApi } from "../../src/testing/api-server.ts";
import {
  createPlatform,
  itemTypes,
  type Platform,
  parentItems,
  recordPath,
  samples,
} from "../../src/testing/platform.ts";

const api = useApi({ DATABASE_POOL_SIZE: "16" });
let platform: Platform;
beforeAll(async () => {
  // Opens connections, so that concurrent requests below run concurrently.
  const warming = await createPlatform(api);
  await Promise.all(Array.from({ length: 10 }, () => warming.batch(parentItems)));
});
beforeEach(async () => {
  platform = await createPlatform(api);
});

describe.each(itemTypes)("a %s", (type) => {
  test("is unchanged if written again", async () => {
    const { data } = await platform.put(type, "it", samples[type]);
    await platform.events();
    expect(await platform.put(type, "it", samples[type])).toEqual({ data, result: "unchanged" });
    expect(await platform.events()).toEqual([]);
  });

  test("is created once by ten concurrent requests, with one set of events", async () => {
    const alone = await createPlatform(api);
    await alone.put(type, "it", samples[type]);
    const before = await platform.count(type);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => platform.put(type, "it", samples[type])),
    );
    expect(responses.map(({ result }) => result).sort()).toEqual(["created", ...Array(9).fill("unchanged")]);
    for (const { data } of responses) expect(data).toEqual(responses[0]?.data);
    expect(await platform.count(type)).toBe(before + 1);
    expect(await platform.types()).toEqual(await alone.types());
  });
});

const changes: Record<Exclude<ItemType, "tool_run">, object> = {
  chatbot: { status: "training" },
  lead: { score: 80 },
  conversation: { status: "ended" },
  message: { sentiment: "negative" },
  ticket: { status: "resolved" },
  meeting: { starts_at: "2026-03-05T13:00:00Z" },
  message_feedback: { rating: "negative" },
  usage_record: { quantity: 80_000 },
};

test.each(Object.entries(changes) as [ItemType, object][])(
  "a %s is changed once by ten concurrent requests to %j, with one set of events",
  async (type, change) => {
    const alone = await createPlatform(api);
    for (const writer of [alone, platform]) await writer.put(type, "it", samples[type]);
    await alone.put(type, "it", { ...samples[type], ...change });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => platform.put(type, "it", { ...samples[type], ...change })),
    );
    expect(responses.map(({ result }) => result).sort()).toEqual([...Array(9).fill("unchanged"), "updated"]);
    expect(await platform.types()).toEqual(await alone.types());
  },
);

describe("numbers in another notation than they are stored", () => {
  /** JSON.stringify writes none of them, other languages do. */
  async function putRaw(state: string): Promise<Response> {
    const { organizationId } = platform.tenant;
    return api.fetch(
      `${api.url}/api/platform/v1/organizations/${organizationId}${recordPath("lead", "it")}`,
      {
        method: "PUT",
        headers: { authorization: `Bearer ${api.platformKey}`, "content-type": "application/json" },
        body: `{ "chatbot_external_id": "bot", ${state} }`,
      },
    );
  }

  test.each([
    `"score": 5.0`,
    `"score": 0.5e1`,
    `"score": -0`,
    `"qualification": { "trend": -0.0 }`,
    `"qualification": { "id": 12345678901234567890, "tiny": 5e-324, "huge": 1.7976931348623157e308 }`,
  ])("%s is unchanged the second time", async (state) => {
    expect((await putRaw(state)).status).toBe(200);
    await platform.events();
    expect(await (await putRaw(state)).json()).toMatchObject({ meta: { result: "unchanged" } });
    expect(await platform.events()).toEqual([]);
  });

  test("a number that is too large is rejected, not set to null", async () => {
    const response = await putRaw(`"qualification": { "budget": 1e400 }`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error_description: expect.stringContaining("body/qualification/budget"),
    });
  });
});

test("writes the body of a late request, also with an Idempotency-Key", async () => {
  const call = asPlatform(api, platform.tenant.organizationId);
  const results = [];
  for (const [score, key] of [
    [10, "key-1"],
    [20, "key-2"],
    [10, "key-1"],
  ] as const) {
    const body = { ...samples.lead, score };
    const response = await call("PUT", recordPath("lead", "it"), body, { "idempotency-key": key });
    expect(response.headers.get("idempotent-replayed")).toBeNull();
    results.push(((await response.json()) as { meta: { result: string } }).meta.result);
  }
  expect(results).toEqual(["created", "updated", "updated"]);
});
