import { expect, onTestFinished, test, vi } from "vitest";
import { InsufficientScopeError, type Lead } from "../src/index.ts";
import { inTurn, startClient } from "./support/client.ts";
import { lead, pageOfLeads, refusal } from "./support/replies.ts";

async function idsOf(leads: AsyncIterable<Lead>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of leads) ids.push(id);
  return ids;
}

function expectedIds(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `lead-${from + index}`);
}

test("await: one page, the envelope as it came", async () => {
  const { parley, received } = await startClient(({ url }) => pageOfLeads(url, 45));
  const page = await parley.leads.list({ limit: 10 });
  expect(page.meta).toEqual({
    api_version: "2024-01-01",
    total: 45,
    limit: 10,
    offset: 0,
    has_more: true,
    count: 10,
  });
  expect(page.data.map(({ id }) => id)).toEqual(expectedIds(10));
  expect(received).toHaveLength(1);
});

test.each([0, 1, 19, 20, 21, 120, 121, 345])("for await: every one of %i records, once", async (total) => {
  const { parley, received } = await startClient(({ url }) => pageOfLeads(url, total));
  expect(await idsOf(parley.leads.list())).toEqual(expectedIds(total));
  // The first page has the service's default of 20, those after it 100.
  expect(received).toHaveLength(1 + Math.ceil(Math.max(0, total - 20) / 100));
});

test("for await: with the limit, the offset and the filters of the query", async () => {
  const { parley, received } = await startClient(({ url }) => pageOfLeads(url, 45));
  expect(await idsOf(parley.leads.list({ limit: 20, offset: 3, status: "new" }))).toEqual(expectedIds(42, 3));
  const queries = received.map(({ url }) => new URL(url, "http://localhost").search);
  expect(queries).toEqual([
    "?limit=20&offset=3&status=new",
    "?limit=20&offset=23&status=new",
    "?limit=20&offset=43&status=new",
  ]);
});

test("for await: the messages of a conversation", async () => {
  const { parley, received } = await startClient(({ url }) => pageOfLeads(url, 121));
  const ids: string[] = [];
  for await (const { id } of parley.conversations.messages("a/b")) ids.push(id);
  expect(ids).toEqual(expectedIds(121));
  expect(received.map(({ url }) => url)).toEqual([
    "/api/v1/conversations/a%2Fb/messages",
    "/api/v1/conversations/a%2Fb/messages?limit=100&offset=20",
    "/api/v1/conversations/a%2Fb/messages?limit=100&offset=120",
  ]);
});

test("pages() has the envelopes", async () => {
  const { parley } = await startClient(({ url }) => pageOfLeads(url, 45));
  const offsets: number[] = [];
  for await (const page of parley.leads.list({ limit: 20 }).pages()) offsets.push(page.meta.offset);
  expect(offsets).toEqual([0, 20, 40]);
});

test("leaving the loop asks for no further page", async () => {
  const { parley, received } = await startClient(({ url }) => pageOfLeads(url, 1000));
  for await (const { id } of parley.leads.list()) if (id === "lead-25") break;
  expect(received).toHaveLength(2);
});

test("awaiting and looping over the same list load its first page once", async () => {
  const { parley, received } = await startClient(({ url }) => pageOfLeads(url, 15));
  const list = parley.leads.list();
  expect((await list).meta.total).toBe(15);
  expect(await idsOf(list)).toHaveLength(15);
  expect(received).toHaveLength(1);
});

test("an empty page that claims that more follow ends the loop", async () => {
  const meta = { api_version: "2024-01-01", total: 9, limit: 20, offset: 0, has_more: true, count: 0 };
  const { parley, received } = await startClient(() => ({ body: { data: [], meta } }));
  expect(await idsOf(parley.leads.list())).toEqual([]);
  expect(received).toHaveLength(1);
});

test("the subscriptions come on one page", async () => {
  const { parley, received } = await startClient(() => ({
    body: { data: [{ id: "a" }, { id: "b" }], meta: { api_version: "2024-01-01", total: 2, count: 2 } },
  }));
  const ids: string[] = [];
  for await (const { id } of parley.webhooks.list()) ids.push(id);
  expect(ids).toEqual(["a", "b"]);
  expect(received).toHaveLength(1);
});

test("an error on a later page comes out of the loop, after the records before it", async () => {
  const meta = { api_version: "2024-01-01", total: 9, limit: 1, offset: 0, has_more: true, count: 1 };
  const first = { body: { data: [lead("lead-0")], meta } };
  const { parley } = await startClient(inTurn(first, refusal(403, "insufficient_scope")));
  const seen: string[] = [];
  const loop = async () => {
    for await (const { id } of parley.leads.list()) seen.push(id);
  };
  await expect(loop()).rejects.toBeInstanceOf(InsufficientScopeError);
  expect(seen).toEqual(["lead-0"]);
});

test("the signal ends the loop", async () => {
  const { parley } = await startClient(({ url }) => pageOfLeads(url, 1000));
  const controller = new AbortController();
  const loop = async () => {
    for await (const { id } of parley.leads.list({}, { signal: controller.signal })) {
      if (id === "lead-5") controller.abort();
    }
  };
  await expect(loop()).rejects.toMatchObject({ name: "AbortError" });
});

test("a list that fails before anybody loops over it fails in the loop, not as an unhandled rejection", async () => {
  const { parley } = await startClient(() => refusal(404, "not_found"));
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  const list = parley.leads.list();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(list[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "not_found" });
  expect(unhandled).not.toHaveBeenCalled();
});

test.each([[[]], [{ data: {} }], [{ error: "x" }], ["null"]])(
  "a 200 that is no list (%j): UnexpectedResponseError",
  async (body) => {
    const { parley } = await startClient(() => ({ body, headers: { "content-type": "application/json" } }));
    await expect(parley.leads.list()).rejects.toMatchObject({ name: "UnexpectedResponseError", status: 200 });
  },
);
