import type { Schemas } from "@parley/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const api = useApi();
let tenant: Tenant;
let get: (path: string) => Promise<{ status: number; body: Page }>;

interface Page {
  data: { id: string; attributes: { updated_at: string; status: string } }[];
  meta: Schemas["PageMeta"];
  error?: string;
  error_description?: string;
}

const minute = 60_000;
const start = Date.parse("2026-03-01T00:00:00.000Z");
const at = (i: number) => new Date(start + i * minute);
const statuses = {
  chatbots: ["active", "inactive", "training"],
  leads: ["new", "qualified", "converted"],
  tickets: ["open", "pending", "resolved"],
  meetings: ["scheduled", "cancelled", "completed"],
};

beforeAll(async () => {
  tenant = await createTenant(api.db);
  await fill(tenant);
  await fill(await createTenant(api.db)); // Another organization's records, which must not be visible.
  get = async (path) => {
    const response = await as(api, tenant)("GET", path);
    return { status: response.status, body: (await response.json()) as Page };
  };
});

/** Creates 60 records of each kind, one per minute, every second one of the tenant's chatbot. */
async function fill({ organizationId }: Tenant): Promise<void> {
  await api.db.chatbot.deleteMany({ where: { organizationId } });
  const common = (i: number, kind: keyof typeof statuses) => ({
    organizationId,
    status: statuses[kind][i % 3] as string,
    createdAt: at(i),
    updatedAt: at(i),
  });
  const numbers = Array.from({ length: 60 }, (_, i) => i);
  await api.db.chatbot.createMany({
    data: numbers.map((i) => ({ ...common(i, "chatbots"), name: `Bot ${i}`, model: "parley-small" })),
  });
  const bots = await api.db.chatbot.findMany({ where: { organizationId }, orderBy: { updatedAt: "asc" } });
  const chatbotId = (i: number) => (bots[i % 2] as { id: string }).id;
  const shared = (i: number, kind: keyof typeof statuses) => ({
    ...common(i, kind),
    chatbotId: chatbotId(i),
  });
  await api.db.lead.createMany({ data: numbers.map((i) => shared(i, "leads")) });
  await api.db.ticket.createMany({
    data: numbers.map((i) => ({ ...shared(i, "tickets"), subject: `Ticket ${i}` })),
  });
  await api.db.meeting.createMany({
    data: numbers.map((i) => ({
      ...shared(i, "meetings"),
      title: `Meeting ${i}`,
      startsAt: at(i),
      endsAt: at(i + 30),
      timezone: "Europe/Vienna",
    })),
  });
}

describe.each([
  { path: "/api/v1/chatbots", kind: "chatbots", size: 50 },
  { path: "/api/v1/leads", kind: "leads", size: 20 },
  { path: "/api/v1/tickets", kind: "tickets", size: 20 },
  { path: "/api/v1/meetings", kind: "meetings", size: 20 },
] as const)("GET $path", ({ path, kind, size }) => {
  test("returns one page, latest change first", async () => {
    const { body } = await get(path);
    expect(body.meta).toEqual({
      api_version: "2024-01-01",
      total: 60,
      limit: size,
      offset: 0,
      has_more: true,
      count: size,
      next_cursor: expect.any(String),
    });
    const times = body.data.map((record) => record.attributes.updated_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(times[0]).toBe(at(59).toISOString());
  });

  test("returns every record once over all pages", async () => {
    const ids: string[] = [];
    for (let offset = 0, more = true; more; offset += 7) {
      const { body } = await get(`${path}?limit=7&offset=${offset}`);
      ids.push(...body.data.map(({ id }) => id));
      more = body.meta.has_more;
      expect(body.meta).toMatchObject({ total: 60, limit: 7, offset, count: body.data.length });
    }
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  });

  test("returns the total also after the last page", async () => {
    const { body } = await get(`${path}?offset=1000`);
    expect(body.data).toEqual([]);
    expect(body.meta).toMatchObject({ total: 60, count: 0, has_more: false, offset: 1000 });
  });

  test("filters by since, inclusive, in any offset", async () => {
    for (const since of ["2026-03-01T00:50:00Z", "2026-03-01T00:50:00.000Z", "2026-03-01T02:50:00%2B02:00"]) {
      expect((await get(`${path}?since=${since}`)).body.meta.total).toBe(10);
    }
    expect((await get(`${path}?since=2026-03-01T00:50:00.001Z`)).body.meta.total).toBe(9);
  });

  test("filters by status", async () => {
    const [first = ""] = statuses[kind];
    const { body } = await get(`${path}?status=${first}&limit=100`);
    expect(body.meta.total).toBe(20);
    expect(new Set(body.data.map((record) => record.attributes.status))).toEqual(new Set([first]));
  });

  test.each([
    ["limit=0", "query/limit must be an integer from 1 to 100"],
    ["limit=101", "query/limit must be an integer from 1 to 100"],
    ["limit=ten", "query/limit must be an integer from 1 to 100"],
    ["limit=1.5", "query/limit must be an integer from 1 to 100"],
    ["limit=0x10", "query/limit must be an integer from 1 to 100"],
    ["limit=1e1", "query/limit must be an integer from 1 to 100"],
    ["limit=%205", "query/limit must be an integer from 1 to 100"],
    ["limit=", "query/limit must be an integer from 1 to 100"],
    ["since=2026-02-30T00:00:00Z", "query/since must be an RFC 3339 timestamp"],
    ["since=2026-01-01T24:00:00Z", "query/since must be an RFC 3339 timestamp"],
    ["since=2026-01-01T00:00:00%2B23:59", "query/since must be an RFC 3339 timestamp"],
    ["limit=1&limit=2", "query/limit must be an integer from 1 to 100"],
    ["offset=-1", "query/offset must be an integer from 0 to 2147483647"],
    ["offset=99999999999", "query/offset must be an integer from 0 to 2147483647"],
    ["since=yesterday", "query/since must be an RFC 3339 timestamp"],
    ["since=2026-03-01", "query/since must be an RFC 3339 timestamp"],
    ["since=2026-03-01T00:00:00", "query/since must be an RFC 3339 timestamp"],
    ["since=2026-02-30T25:00:00Z", "query/since must be an RFC 3339 timestamp"],
    ["since=0000-01-01T00:00:00Z", "query/since must be an RFC 3339 timestamp"],
    ["since=2026-03-01T02:50:00+02:00", "(percent-encode + as %2B in a query)"],
    ["status=asleep", `query/status must be one of ${statuses[kind][0]}`],
    ["status=a%00b", "query/status must not contain a NUL character"],
  ])("rejects ?%s with a description", async (query, message) => {
    const { status, body } = await get(`${path}?${query}`);
    expect(status).toBe(400);
    expect(body.error).toBe("invalid_request");
    expect(body.error_description).toContain(message);
  });

  test.each([
    ["colour=blue", "query/colour is not a known parameter"],
    ["limt=5", "query/limt is not a known parameter. Did you mean limit?"],
    ["sicne=2026-01-01T00:00:00Z", "query/sicne is not a known parameter. Did you mean since?"],
    ["chatbot=x", "query/chatbot is not a known parameter. Did you mean chatbot_id?"],
    ["Status=new", "query/Status is not a known parameter. Did you mean status?"],
    ["toString=1", "query/toString is not a known parameter"],
  ])("rejects the unknown parameter of ?%s", async (query, description) => {
    const { status, body } = await get(`${path}?${query}`);
    expect([status, body.error_description]).toEqual([400, description]);
  });
});

describe.each(["/api/v1/leads", "/api/v1/tickets", "/api/v1/meetings"])("GET %s?chatbot_id=", (path) => {
  test("restricts to one chatbot; an unknown one returns an empty list", async () => {
    const { body } = await get("/api/v1/chatbots?limit=2&offset=58");
    const [second, first] = body.data;
    expect((await get(`${path}?chatbot_id=${first?.id}`)).body.meta.total).toBe(30);
    expect((await get(`${path}?chatbot_id=${second?.id}&limit=1`)).body.meta).toMatchObject({
      total: 30,
      count: 1,
    });
    for (const unknown of ["01928c5e-7a10-7c44-8d21-0b6de2f0a001", "bot_1", "'--"]) {
      const { status, body: empty } = await get(`${path}?chatbot_id=${unknown}`);
      expect([unknown, status]).toEqual([unknown, 200]);
      expect(empty.meta).toMatchObject({ total: 0, count: 0, has_more: false });
    }
    expect((await get(`${path}?chatbot_id=%00`)).status).toBe(400);
  });
});
