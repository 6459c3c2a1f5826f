import { expect, onTestFinished, test, vi } from "vitest";
import { InsufficientScopeError, type Lead } from "../src/index.ts";
import { inSequence, startTestClient } from "./support/client.ts";
import { errorResponse, leadFixture, leadPageResponse } from "./support/responses.ts";

async function idsOf(leads: AsyncIterable<Lead>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of leads) ids.push(id);
  return ids;
}

function expectedIds(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `lead-${from + index}`);
}

test("await returns one page with its envelope", async () => {
  const { parley, received } = await startTestClient(({ url }) => leadPageResponse(url, 45));
  const page = await parley.leads.list({ limit: 10 });
  expect(page.meta).toEqual({
    api_version: "2024-01-01",
    total: 45,
    limit: 10,
    offset: 0,
    has_more: true,
    count: 10,
    next_cursor: "10",
  });
  expect(page.data.map(({ id }) => id)).toEqual(expectedIds(10));
  expect(received).toHaveLength(1);
});

test.each([0, 1, 19, 20, 21, 120, 121, 345])("for await returns each of %i records once", async (total) => {
  const { parley, received } = await startTestClient(({ url }) => leadPageResponse(url, total));
  expect(await idsOf(parley.leads.list())).toEqual(expectedIds(total));
  // The first page has the default size of 20, later pages 100.
  expect(received).toHaveLength(1 + Math.ceil(Math.max(0, total - 20) / 100));
});

test("for await keeps the limit, offset and filters of the query", async () => {
  const { parley, received } = await startTestClient(({ url }) => leadPageResponse(url, 45));
  expect(await idsOf(parley.leads.list({ limit: 20, offset: 3, status: "new" }))).toEqual(expectedIds(42, 3));
  const queries = received.map(({ url }) => new URL(url, "http://localhost").search);
  expect(queries).toEqual([
    "?limit=20&offset=3&status=new",
    "?limit=20&status=new&cursor=23",
    "?limit=20&status=new&cursor=43",
  ]);
});

test("for await returns the messages of a conversation", async () => {
  const { parley, received } = await startTestClient(({ url }) => leadPageResponse(url, 121));
  const ids: string[] = [];
  for await (const { id } of parley.conversations.messages("a/b")) ids.push(id);
  expect(ids).toEqual(expectedIds(121));
  expect(received.map(({ url }) => url)).toEqual([
    "/api/v1/conversations/a%2Fb/messages",
    "/api/v1/conversations/a%2Fb/messages?limit=100&cursor=20",
    "/api/v1/conversations/a%2Fb/messages?limit=100&cursor=120",
  ]);
});

test("pages() returns the envelopes", async () => {
  const { parley } = await startTestClient(({ url }) => leadPageResponse(url, 45));
  const offsets: number[] = [];
  for await (const page of parley.leads.list({ limit: 20 }).pages()) offsets.push(page.meta.offset);
  expect(offsets).toEqual([0, 20, 40]);
});

test("requests no more pages when the loop ends", async () => {
  const { parley, received } = await startTestClient(({ url }) => leadPageResponse(url, 1000));
  for await (const { id } of parley.leads.list()) if (id === "lead-25") break;
  expect(received).toHaveLength(2);
});

test("requests the first page once for await and for await", async () => {
  const { parley, received } = await startTestClient(({ url }) => leadPageResponse(url, 15));
  const list = parley.leads.list();
  expect((await list).meta.total).toBe(15);
  expect(await idsOf(list)).toHaveLength(15);
  expect(received).toHaveLength(1);
});

test("returns all webhook subscriptions on one page", async () => {
  const { parley, received } = await startTestClient(() => ({
    body: { data: [{ id: "a" }, { id: "b" }], meta: { api_version: "2024-01-01", total: 2, count: 2 } },
  }));
  const ids: string[] = [];
  for await (const { id } of parley.webhooks.list()) ids.push(id);
  expect(ids).toEqual(["a", "b"]);
  expect(received).toHaveLength(1);
});

test("throws the error of a later page after the records of the earlier pages", async () => {
  const meta = { api_version: "2024-01-01", has_more: true, next_cursor: "1" };
  const first = { body: { data: [leadFixture("lead-0")], meta } };
  const { parley } = await startTestClient(inSequence(first, errorResponse(403, "insufficient_scope")));
  const seen: string[] = [];
  const loop = async () => {
    for await (const { id } of parley.leads.list()) seen.push(id);
  };
  await expect(loop()).rejects.toBeInstanceOf(InsufficientScopeError);
  expect(seen).toEqual(["lead-0"]);
});

test("aborts the loop with the signal", async () => {
  const { parley } = await startTestClient(({ url }) => leadPageResponse(url, 1000));
  const controller = new AbortController();
  const loop = async () => {
    for await (const { id } of parley.leads.list({}, { signal: controller.signal })) {
      if (id === "lead-5") controller.abort();
    }
  };
  await expect(loop()).rejects.toMatchObject({ name: "AbortError" });
});

test("throws an early error in the loop, not as an unhandled rejection", async () => {
  const { parley } = await startTestClient(() => errorResponse(404, "not_found"));
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  const list = parley.leads.list();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(list[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "not_found" });
  expect(unhandled).not.toHaveBeenCalled();
});

test.each([[[]], [{ data: {} }], [{ error: "x" }], ["null"]])(
  "throws an UnexpectedResponseError for a 200 that is not a list: %j",
  async (body) => {
    const { parley } = await startTestClient(() => ({
      body,
      headers: { "content-type": "application/json" },
    }));
    await expect(parley.leads.list()).rejects.toMatchObject({ name: "UnexpectedResponseError", status: 200 });
  },
);
