import { expect, test } from "vitest";
import type { FeedEvent } from "../src/index.ts";
import { startTestClient } from "./support/client.ts";
import { errorResponse } from "./support/responses.ts";

/** Starts a server with a feed of numbered events. `add` runs before each request. A cursor is `at-<number of events before it>`. */
async function startFeed(count: number, add: (request: number, ids: string[]) => void = () => {}) {
  const ids = Array.from({ length: count }, (_, i) => `e${i}`);
  const { parley, received } = await startTestClient(({ url }, request) => {
    add(request, ids);
    const query = new URL(url, "http://localhost").searchParams;
    const cursor = query.get("cursor");
    const from = cursor === "latest" ? ids.length : Number(cursor?.replace("at-", "") ?? 0);
    const data = ids
      .slice(from, from + Number(query.get("limit")))
      .map((id) => ({ id, type: "lead.created" }));
    const end = from + data.length;
    return {
      body: {
        data,
        meta: { api_version: "2024-01-01", has_more: end < ids.length, next_cursor: `at-${end}` },
      },
    };
  });
  return { parley, received, ids };
}

async function take(events: AsyncIterable<FeedEvent>, count: number): Promise<string[]> {
  const taken: string[] = [];
  for await (const { id } of events) {
    taken.push(id);
    if (taken.length === count) break;
  }
  return taken;
}

test("returns the events since a time, then each new one", async () => {
  const { parley, ids, received } = await startFeed(150, (request, all) => {
    if (request === 3) all.push("new");
  });
  const events = parley.events.follow({
    since: "2026-03-01T00:00:00Z",
    eventTypes: ["lead.created"],
    chatbotId: "c",
  });
  expect(await take(events, 151)).toEqual(ids);
  const queries = received.map(({ url }) => new URL(url, "http://localhost").search);
  const filter = "&event_types=lead.created&chatbot_id=c";
  expect(queries).toEqual([
    `?limit=100&since=2026-03-01T00%3A00%3A00Z${filter}`,
    `?limit=100&cursor=at-100&wait=25${filter}`,
    `?limit=100&cursor=at-150&wait=25${filter}`,
    `?limit=100&cursor=at-150&wait=25${filter}`,
  ]);
});

test("without since, starts after the newest event", async () => {
  const { parley } = await startFeed(5, (request, all) => {
    if (request === 1) all.push("new");
  });
  const events = parley.events.follow();
  expect(events.cursor).toBe("");
  expect(await take(events, 1)).toEqual(["new"]);
});

test("continues at the cursor after every event, also in the middle of the first page", async () => {
  const { parley, ids } = await startFeed(230);
  let since = "2026-03-01T00:00:00Z";
  const seen: string[] = [];
  for (const count of [1, 50, 48, 1, 1, 99, 30]) {
    const events = parley.events.follow({ since });
    seen.push(...(await take(events, count)));
    since = events.cursor;
  }
  expect(seen).toEqual(ids);
});

test("continues after the last event in another loop", async () => {
  const { parley, ids } = await startFeed(120);
  const events = parley.events.follow({ since: "2026-03-01T00:00:00Z" });
  expect([...(await take(events, 30)), ...(await take(events, 90))]).toEqual(ids);
});

test("waits less than the timeout of a request", async () => {
  const { parley, received } = await startFeed(1);
  await take(parley.events.follow({ since: "at-0", timeoutMs: 10_000 }), 1);
  await take(parley.events.follow({ since: "at-0", timeoutMs: 2_000 }), 1);
  await take(parley.events.follow({ since: "at-0", timeoutMs: 0 }), 1);
  const waits = received.map(({ url }) => new URL(url, "http://localhost").searchParams.get("wait"));
  expect(waits).toEqual(["5", "1", "25"]);
});

test("throws if the cursor has expired", async () => {
  const { parley } = await startTestClient(() => errorResponse(410, "not_found"));
  await expect(take(parley.events.follow({ since: "at-0" }), 1)).rejects.toMatchObject({ status: 410 });
});

test("list() ends at the last event", async () => {
  const { parley, ids } = await startFeed(230);
  expect(await take(parley.events.list({ limit: 100 }), 1_000)).toEqual(ids);
});
