import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ItemType } from "../../src/modules/platform/items.ts";
import { as, asPlatform, startApi, type TestApi } from "../kit.ts";
import { itemTypes, openPlatform, type Platform, recordPath, samples, scene } from "../platform-kit.ts";

let api: TestApi;
let platform: Platform;
beforeAll(async () => {
  api = await startApi({ DATABASE_POOL_SIZE: "16" });
  // Opens connections, so that what comes at once below runs at once.
  const warming = await openPlatform(api);
  await Promise.all(Array.from({ length: 10 }, () => warming.batch(scene)));
});
afterAll(() => api.close());
beforeEach(async () => {
  platform = await openPlatform(api);
});

/** Writes the record `it` with a key; without one when that is null. */
async function put(type: ItemType, attributes: object, key: string | null, writer = platform) {
  const call = asPlatform(api, writer.tenant.organizationId);
  const headers = key === null ? {} : { "idempotency-key": key };
  const response = await call("PUT", recordPath(type, "it"), attributes, headers);
  const body = (await response.json()) as {
    data: object;
    meta: { result: string };
    error_description?: string;
  };
  return { status: response.status, replayed: response.headers.get("idempotent-replayed"), body };
}
const lead = (score: number) => ({ ...samples.lead, score });

describe.each(itemTypes)("a %s", (type) => {
  test("that is written again is unchanged", async () => {
    const { data } = await platform.put(type, "it", samples[type]);
    await platform.events();
    expect(await platform.put(type, "it", samples[type])).toEqual({ data, result: "unchanged" });
    expect(await platform.events()).toEqual([]);
  });

  test("that is written again with its key gets the first answer", async () => {
    const first = await put(type, samples[type], "key-1");
    expect(first).toMatchObject({ status: 200, replayed: null, body: { meta: { result: "created" } } });
    await platform.events();
    expect(await put(type, samples[type], "key-1")).toEqual({ ...first, replayed: "true" });
    expect(await platform.events()).toEqual([]);
  });

  test("that ten write at once is created by one of them, with one set of events", async () => {
    const alone = await openPlatform(api);
    await alone.put(type, "it", samples[type]);
    const before = await platform.count(type);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => platform.put(type, "it", samples[type])),
    );
    expect(answers.map(({ result }) => result).sort()).toEqual(["created", ...Array(9).fill("unchanged")]);
    for (const { data } of answers) expect(data).toEqual(answers[0]?.data);
    expect(await platform.count(type)).toBe(before + 1);
    expect(await platform.types()).toEqual(await alone.types());
  });

  test("that ten write at once with one key is created once, and ten are told so", async () => {
    const alone = await openPlatform(api);
    await alone.put(type, "it", samples[type]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(type, samples[type], "key-1")));
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([200, answers[0]?.body]);
      expect(body.meta.result).toBe("created");
    }
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
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
  "a %s that ten change at once to %j is changed by one of them, with one set of events",
  async (type, change) => {
    const alone = await openPlatform(api);
    for (const writer of [alone, platform]) await writer.put(type, "it", samples[type]);
    await alone.put(type, "it", { ...samples[type], ...change });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => platform.put(type, "it", { ...samples[type], ...change })),
    );
    expect(answers.map(({ result }) => result).sort()).toEqual([...Array(9).fill("unchanged"), "updated"]);
    expect(await platform.types()).toEqual(await alone.types());
  },
);

describe("numbers that are written in another way than they are kept", () => {
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
  ])("%s is the same state the second time", async (state) => {
    expect((await putRaw(state)).status).toBe(200);
    await platform.events();
    expect(await (await putRaw(state)).json()).toMatchObject({ meta: { result: "unchanged" } });
    expect(await platform.events()).toEqual([]);
  });

  test("one that is too large to be kept is refused, not emptied", async () => {
    const answer = await putRaw(`"qualification": { "budget": 1e400 }`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error_description: expect.stringContaining("body/qualification/budget"),
    });
  });
});

describe("an Idempotency-Key", () => {
  test("keeps a request that comes again from taking a later change back", async () => {
    const first = await put("lead", lead(10), "key-1");
    await put("lead", lead(20), "key-2");
    await platform.events();
    expect(await put("lead", lead(10), "key-1")).toEqual({ ...first, replayed: "true" });
    expect((await put("lead", lead(20), null)).body.meta.result).toBe("unchanged");
    expect(await platform.events()).toEqual([]);
  });

  test("is needed for that: without one the old state is a change like any other", async () => {
    await put("lead", lead(10), null);
    await put("lead", lead(20), null);
    const { replayed, body } = await put("lead", lead(10), null);
    expect([replayed, body.meta.result]).toEqual([null, "updated"]);
  });

  test("replays what became of the record then, also when that was nothing", async () => {
    await put("lead", lead(10), null);
    expect((await put("lead", lead(10), "key-1")).body.meta.result).toBe("unchanged");
    expect((await put("lead", lead(20), "key-2")).body.meta.result).toBe("updated");
    expect((await put("lead", lead(10), "key-1")).body.meta.result).toBe("unchanged");
    expect((await put("lead", lead(20), "key-2")).body.meta.result).toBe("updated");
  });

  test("of another body, record or kind is refused", async () => {
    await put("lead", samples.lead, "key-1");
    const call = asPlatform(api, platform.tenant.organizationId);
    for (const other of [
      await call("PUT", recordPath("lead", "it"), lead(5), { "idempotency-key": "key-1" }),
      await call("PUT", recordPath("lead", "other"), samples.lead, { "idempotency-key": "key-1" }),
      await call("PUT", recordPath("conversation", "it"), samples.lead, { "idempotency-key": "key-1" }),
    ]) {
      expect(other.status).toBe(400);
      expect(await other.json()).toMatchObject({
        error_description: expect.stringContaining("The Idempotency-Key was used for another request"),
      });
    }
    expect([await platform.count("lead"), await platform.count("conversation")]).toEqual([1, 1]);
  });

  test("of a refused request is still free", async () => {
    expect((await put("lead", { chatbot_external_id: "nobody" }, "key-1")).status).toBe(400);
    expect((await put("lead", { ...samples.lead, score: 101 }, "key-1")).status).toBe(400);
    expect(await put("lead", samples.lead, "key-1")).toMatchObject({ status: 200, replayed: null });
  });

  test("is free again after 24 hours", async () => {
    await put("lead", lead(10), "key-1");
    await put("lead", lead(20), null);
    await api.db.idempotencyKey.updateMany({ data: { createdAt: new Date(Date.now() - 86_400_001) } });
    const later = await put("lead", lead(10), "key-1");
    expect([later.replayed, later.body.meta.result]).toEqual([null, "updated"]);
  });

  test("of another organization is another key", async () => {
    const other = await openPlatform(api);
    await put("lead", lead(10), "key-1");
    const theirs = await put("lead", lead(20), "key-1", other);
    expect(theirs).toMatchObject({ status: 200, replayed: null });
    expect((await put("lead", lead(10), "key-1")).replayed).toBe("true");
  });

  test("of the organization's own integration is another key", async () => {
    const body = { chatbot_id: platform.tenant.chatbotId, contact: {} };
    const key = randomUUID();
    const own = await as(api, platform.tenant)("POST", "/api/v1/leads", body, { "idempotency-key": key });
    expect(own.status).toBe(201);
    expect(await put("lead", samples.lead, key)).toMatchObject({ status: 200, replayed: null });
  });

  test.each([
    ["with a space", "a b"],
    ["that is too long", "x".repeat(256)],
  ])("%s is refused", async (_name, key) => {
    const answer = await put("lead", samples.lead, key);
    expect(answer.status).toBe(400);
    expect(answer.body.error_description).toContain("headers/idempotency-key must");
    expect(await platform.count("lead")).toBe(0);
  });

  test("of the longest kind is taken, for a batch too", async () => {
    const key = "~".repeat(255);
    expect(await put("lead", samples.lead, key)).toMatchObject({ status: 200 });
    const items = [{ type: "lead", external_id: "it", attributes: lead(9) }];
    const first = await platform.batch(items, key);
    expect(first.meta).toMatchObject({ updated: 1 });
    expect(await platform.batch(items, key)).toEqual(first);
  });
});
