import { randomUUID } from "node:crypto";
import type { Schemas } from "@parley/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { readConversations } from "../src/modules/conversations/read.ts";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

interface Page {
  data: { id: string; attributes: Record<string, unknown>; messages?: Schemas["Message"][] }[];
  meta: Schemas["PageMeta"];
  error_description?: string;
}

const lists = ["chatbots", "leads", "conversations", "tickets", "meetings"] as const;
type List = (typeof lists)[number];

const people = [
  { name: "Ada Novak", email: "ada@example.com" },
  { name: "Ben Okafor", email: "Ben@Example.com" },
  { name: null, email: "carla@example.org" },
  { name: "100% Çelik_Ö", email: null },
];
const count = 24;
const start = Date.parse("2026-03-01T00:00:00.000Z");
const at = (minute: number) => new Date(start + minute * 60_000);

const api = useApi();
let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant(api.db);
  await fill(tenant);
  await fill(await createTenant(api.db)); // Another organization's records, which must not be visible.
});

async function get(path: string, query: Record<string, string> = {}): Promise<Page & { status: number }> {
  const response = await as(api, tenant)("GET", `/api/v1/${path}?${new URLSearchParams(query)}`);
  return { ...((await response.json()) as Page), status: response.status };
}

/** Creates 24 records of each kind: created one per minute, and updated in another order. */
async function fill({ organizationId, chatbotId }: Tenant): Promise<void> {
  const { db } = api;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const person = (i: number) => people[i % people.length] ?? { name: null, email: null };
  const updated = (i: number) => ({ updatedAt: at(100 + ((i * 7) % count)) });
  const times = (i: number) => ({ createdAt: at(i), ...updated(i) });
  const record = (i: number) => ({ organizationId, chatbotId, externalId: `record-${i}` });

  await db.chatbot.deleteMany({ where: { organizationId, id: { not: chatbotId } } });
  await db.chatbot.update({ where: { id: chatbotId }, data: { externalId: "first", ...times(0) } });
  await db.chatbot.createMany({
    data: numbers.slice(1).map((i) => ({
      organizationId,
      externalId: `record-${i}`,
      name: `Bot of ${person(i).name ?? person(i).email}`,
      model: "parley-small",
      ...times(i),
    })),
  });
  await db.lead.createMany({
    data: numbers.map((i) => ({
      ...record(i),
      ...times(i),
      contactName: person(i).name,
      contactEmail: person(i).email,
      contactPhone: i % 2 === 0 ? `+43 1 555-01${i + 10}` : null,
    })),
  });
  await db.conversation.createMany({
    data: numbers.map((i) => ({
      ...record(i),
      startedAt: at(i),
      ...updated(i),
      visitorName: person(i).name,
      visitorEmail: person(i).email,
    })),
  });
  await db.ticket.createMany({
    data: numbers.map((i) => ({
      ...record(i),
      ...times(i),
      subject: `Invoice ${i}`,
      requesterName: person(i).name,
      requesterEmail: person(i).email,
    })),
  });
  await db.meeting.createMany({
    data: numbers.map((i) => ({
      ...record(i),
      ...times(i),
      title: `Demo ${i}`,
      startsAt: at(i),
      endsAt: at(i + 30),
      timezone: "Europe/Vienna",
      attendees: [person(i), { name: "Host", email: null }],
    })),
  });
}

/** Reads a list by cursor, and checks the metadata of each page. */
async function readAll(
  path: string,
  query: Record<string, string>,
  between?: (page: number) => Promise<unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let next: Record<string, string> = {}, pages = 0; ; pages += 1) {
    const { status, data, meta } = await get(path, { limit: "7", ...query, ...next });
    expect(status).toBe(200);
    expect(meta).toMatchObject({ limit: 7, offset: ids.length, count: data.length });
    expect(meta.has_more).toBe(meta.next_cursor !== null);
    ids.push(...data.map(({ id }) => id));
    if (meta.next_cursor === null) return ids;
    next = { cursor: meta.next_cursor };
    await between?.(pages);
  }
}

const isCreated = (list: List) => (list === "conversations" ? "started_at" : "created_at");

describe.each(lists)("GET /api/v1/%s", (list) => {
  test.each([
    ["-updated_at", "updated_at", -1],
    ["updated_at", "updated_at", 1],
    ["-created_at", "created_at", -1],
    ["created_at", "created_at", 1],
  ] as const)("sorts by %s, in pages by offset and by cursor", async (sort, by, direction) => {
    const { data, meta } = await get(list, { sort, limit: "100" });
    expect(meta).toMatchObject({ total: count, count, has_more: false, next_cursor: null });
    const field = by === "created_at" ? isCreated(list) : by;
    const times = data.map(({ attributes }) => String(attributes[field]));
    const sorted = [...times].sort();
    expect(times).toEqual(direction === 1 ? sorted : sorted.reverse());
    expect(await readAll(list, { sort })).toEqual(data.map(({ id }) => id));
  });

  test("has the order -updated_at without sort", async () => {
    expect((await get(list)).data).toEqual((await get(list, { sort: "-updated_at" })).data);
  });

  test("filters by the time of creation and of the update", async () => {
    const total = async (query: Record<string, string>) => (await get(list, query)).meta.total;
    const [two, five] = [at(2).toISOString(), at(5).toISOString()];
    expect(await total({ created_after: two, created_before: five })).toBe(3);
    expect(await total({ created_after: five })).toBe(count - 5);
    expect(await total({ created_before: two })).toBe(2);
    const [since, before] = [at(110).toISOString(), at(115).toISOString()];
    expect(await total({ updated_before: since })).toBe(10);
    expect(await total({ since, updated_before: before })).toBe(5);
    expect(
      await total({ since, updated_before: before, created_after: two, sort: "created_at" }),
    ).toBeLessThan(6);
    expect(await total({ created_after: five, created_before: two })).toBe(0);
    expect(await readAll(list, { since, sort: "updated_at" })).toHaveLength(count - 10);
  });

  test("finds a record by the ID in the chatbot platform", async () => {
    const { data, meta } = await get(list, { external_id: "record-3" });
    expect([data.length, meta.total]).toEqual([1, 1]);
    expect(data[0]?.attributes[isCreated(list)]).toBe(at(3).toISOString());
    expect((await get(list, { external_id: "record-99" })).meta).toMatchObject({ total: 0, has_more: false });
  });

  test("searches text in any case; % and _ are themselves", async () => {
    const total = async (q: string) => (await get(list, { q })).meta.total;
    // The first chatbot is not one of these.
    expect(await total("nOVak")).toBe(list === "chatbots" ? count / 4 - 1 : count / 4);
    expect(await total("100% ç")).toBe(count / 4);
    expect(await total("lik_ö")).toBe(count / 4);
    expect(await total("a%novak")).toBe(0);
    expect(await total("absent")).toBe(0);
    const query = { q: "okafor", sort: "created_at" };
    expect(await readAll(list, query)).toEqual((await get(list, query)).data.map(({ id }) => id));
    expect((await get(list, { q: "okafor", status: "no" })).status).toBe(400);
  });

  test("restricts to a chatbot, also in a search", async () => {
    const other = await api.db.chatbot.findFirstOrThrow({
      where: { organizationId: tenant.organizationId, externalId: "record-2" },
    });
    expect((await get(list, { chatbot_id: tenant.chatbotId })).meta.total).toBe(
      list === "chatbots" ? 1 : count,
    );
    expect((await get(list, { chatbot_id: other.id })).meta.total).toBe(list === "chatbots" ? 1 : 0);
    expect((await get(list, { chatbot_id: other.id, external_id: "record-3" })).meta.total).toBe(0);
  });

  test("returns each record that exists throughout once, while others are created, changed and deleted", async () => {
    const table = api.db[list.slice(0, -1) as "lead"];
    const { organizationId, chatbotId } = tenant;
    const before = await get(list, { sort: "created_at", limit: "100" });
    const extra: string[] = [];
    const ids = await readAll(list, { sort: "created_at" }, async (page) => {
      // The earlier pages get shorter, and a record that is yet to come is updated.
      const [{ id } = { id: "" }] = before.data.slice(-1);
      await table.update({ where: { id }, data: { updatedAt: at(500 + page) } });
      if (list !== "leads") return;
      const lead = await table.create({ data: { organizationId, chatbotId, createdAt: at(-page) } });
      extra.push(lead.id);
    });
    expect(ids).toEqual(before.data.map(({ id }) => id));
    await table.deleteMany({ where: { id: { in: extra } } });
  });

  test.each([
    [{ sort: "name" }, "query/sort must be one of -updated_at, updated_at, -created_at, created_at"],
    [{ q: "ab" }, "query/q must"],
    [{ q: "---" }, "query/q must contain a letter or a digit"],
    [{ created_after: "today" }, "query/created_after must be an RFC 3339 timestamp"],
    [{ external_id: "" }, "query/external_id must not be empty"],
    [{ cursor: "abc" }, "query/cursor must be the meta.next_cursor of a response to a request with the same"],
    [{ cursor: "WyJ" }, "query/cursor must be the meta.next_cursor"],
    [{ cursor: "eyJhIjoxfQ" }, "query/cursor must be the meta.next_cursor"],
  ])("rejects %o", async (query, description) => {
    const { status, error_description } = await get(list, query);
    expect([status, error_description]).toEqual([400, expect.stringContaining(description)]);
  });

  test("rejects a cursor of another list, filter or order, and a cursor with an offset", async () => {
    const { meta } = await get(list, { limit: "5" });
    const cursor = meta.next_cursor ?? "";
    const other = list === "leads" ? "tickets" : "leads";
    expect((await get(list, { cursor, limit: "6" })).status).toBe(200);
    expect((await get(list, { cursor, sort: "created_at" })).status).toBe(400);
    expect((await get(list, { cursor, since: "2026-01-01T00:00:00Z" })).status).toBe(400);
    expect((await get(other, { cursor })).status).toBe(400);
    const both = await get(list, { cursor, offset: "5" });
    expect([both.status, both.error_description]).toEqual([
      400,
      "query/offset must not be sent with a cursor",
    ]);
  });
});

describe.each(["leads", "conversations", "tickets", "meetings"] as const)("GET /api/v1/%s?email=", (list) => {
  test("finds the records of a person, in any case", async () => {
    for (const email of ["ben@example.com", "BEN@EXAMPLE.COM", "ada@example.com"]) {
      const { meta } = await get(list, { email });
      expect([email, meta.total, meta.count]).toEqual([email, count / 4, count / 4]);
    }
    expect((await get(list, { email: "ben@example.co" })).meta.total).toBe(0);
    expect((await get(list, { email: "ada novak" })).meta.total).toBe(0);
    expect((await get(list, { email: "ada@example.com", q: "okafor" })).meta.total).toBe(0);
  });
});

test("finds a lead by phone number, in any notation", async () => {
  for (const phone of ["+43 1 555-0112", "4315550112", "(43) 1 / 555 01 12"]) {
    const { data } = await get("leads", { phone });
    expect([phone, data.length]).toEqual([phone, 1]);
  }
  expect((await get("leads", { phone: "555-0112" })).data).toEqual([]);
  expect((await get("leads", { phone: "none" })).error_description).toBe("query/phone must contain a digit");
});

test("counts at most 1,000 matches of a search, and pages through all of them", async () => {
  const many = await createTenant(api.db);
  const { organizationId, chatbotId } = many;
  const data = Array.from({ length: 1_050 }, (_, i) => ({
    organizationId,
    chatbotId,
    contactName: "Ada Novak",
    updatedAt: at(i),
  }));
  await api.db.lead.createMany({ data });
  const read = async (query: string) =>
    (await (await as(api, many)("GET", `/api/v1/leads?q=novak&${query}`)).json()) as Page;
  expect((await read("limit=1")).meta).toMatchObject({ total: 1_000, has_more: true });
  const last = await read("limit=60&offset=1000");
  expect(last.meta).toMatchObject({ total: 1_000, count: 50, has_more: false });
  expect(last.data.at(-1)?.attributes["updated_at"]).toBe(at(0).toISOString());
});

describe("include=messages", () => {
  test("adds 4 MiB of texts to a page, the latest of each conversation first", async () => {
    const { organizationId, chatbotId } = await createTenant(api.db);
    const conversations = Array.from({ length: 6 }, () => randomUUID());
    await api.db.conversation.createMany({
      data: conversations.map((id) => ({ id, organizationId, chatbotId })),
    });
    const texts = conversations.flatMap((conversationId) =>
      Array.from({ length: 20 }, (_, i) => ({ conversationId, text: "😀".repeat(20_000), createdAt: at(i) })),
    );
    await api.db.message.createMany({
      data: texts.map((text) => ({ ...text, organizationId, chatbotId, role: "visitor" })),
    });
    const rows = await api.db.conversation.findMany({ where: { organizationId } });
    const read = await readConversations(api.db, rows, "messages");
    const counts = read.map(({ messages = [] }) => messages.length);
    expect(counts.toSorted((a, b) => a - b)).toEqual([8, 9, 9, 9, 9, 9]); // 53 of 80,000 bytes
    for (const { messages = [] } of read) {
      expect(messages.at(-1)?.attributes.created_at).toBe(at(19).toISOString());
    }
  });

  test("adds the latest 20 messages of each conversation, oldest first", async () => {
    const { organizationId, chatbotId } = tenant;
    const conversations = await api.db.conversation.findMany({
      where: { organizationId },
      orderBy: { updatedAt: "desc" },
      take: 2,
    });
    const [long, short] = conversations;
    const message = (conversationId = "", i = 0) => ({
      organizationId,
      chatbotId,
      conversationId,
      role: "visitor",
      text: `Message ${i}`,
      createdAt: at(i),
    });
    await api.db.message.createMany({
      data: [...Array.from({ length: 25 }, (_, i) => message(long?.id, i)), message(short?.id, 1)],
    });
    const texts = (conversation?: Page["data"][number]) =>
      conversation?.messages?.map(({ attributes }) => attributes.text);
    const latest = Array.from({ length: 20 }, (_, i) => `Message ${i + 5}`);

    const { data } = await get("conversations", { include: "messages", limit: "3" });
    expect(data.map(texts)).toEqual([latest, ["Message 1"], []]);
    const path = `conversations/${long?.id}`;
    const one = await get(path, { include: "messages" });
    expect(texts(one.data as unknown as Page["data"][number])).toEqual(latest);
    expect((await get(path)).data).not.toHaveProperty("messages");

    const messages = await get(`${path}/messages`, { limit: "100" });
    expect(await readAll(`${path}/messages`, {})).toEqual(messages.data.map(({ id }) => id));
    const { meta } = await get(`${path}/messages`, { limit: "7" });
    const other = await get(`conversations/${short?.id}/messages`, { cursor: meta.next_cursor ?? "" });
    expect(other.status).toBe(400);
  });

  test("rejects another name", async () => {
    const { status, error_description } = await get("conversations", { include: "lead" });
    expect([status, error_description]).toEqual([400, expect.stringContaining("query/include")]);
  });
});
