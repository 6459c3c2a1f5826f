import type { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "../client.ts";
import type { Prisma } from "../generated/client.ts";
import type { RecordRows } from "../record-rows.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import type { RecordFilter } from "./filters.ts";
import { listRecords, type Page } from "./list-records.ts";
import type { RecordSort } from "./order.ts";

const organizationId = "01928c5e-7a10-7c44-8d21-0b6de2f0a000";
const chatbotId = "01928c5e-7a10-7c44-8d21-0b6de2f0a001";
const columns = "organization_id, chatbot_id, updated_at, external_id";
const values = `'${organizationId}', '${chatbotId}', now() - i * interval '1 s', 'record-' || i`;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = await connect(database.url);
  await client.query(`
    INSERT INTO organizations (id, name) VALUES ('${organizationId}', 'Acme');
    INSERT INTO chatbots (id, organization_id, name, model) VALUES ('${chatbotId}', '${organizationId}', 'Support', 'parley-small');
    INSERT INTO leads (${columns}, created_at, contact_name, contact_email, contact_phone)
      SELECT ${values}, now() - i * interval '1 s', md5(i::text), md5(i::text) || '@example.com', i::text FROM generate_series(1, 5000) AS i;
    INSERT INTO conversations (${columns}, started_at, visitor_name, visitor_email)
      SELECT ${values}, now() - i * interval '1 s', md5(i::text), md5(i::text) || '@example.com' FROM generate_series(1, 5000) AS i;
    INSERT INTO tickets (${columns}, created_at, subject, requester_email)
      SELECT ${values}, now() - i * interval '1 s', md5(i::text), md5(i::text) || '@example.com' FROM generate_series(1, 5000) AS i;
    INSERT INTO meetings (${columns}, created_at, title, attendees, starts_at, ends_at, timezone)
      SELECT ${values}, now() - i * interval '1 s', md5(i::text),
             jsonb_build_array(jsonb_build_object('name', 'Ada', 'email', md5(i::text) || '@example.com')), now(), now(), 'UTC'
      FROM generate_series(1, 5000) AS i;`);
  await client.query("VACUUM ANALYZE");
});
afterAll(async () => {
  await client.end();
  await database.release();
});

/** Returns the names of the indexes in the plan of the list's last statement. */
async function indexesOf(
  table: keyof RecordRows,
  filter: Omit<RecordFilter, "organizationId">,
  page: Partial<Page>,
  sort: RecordSort,
): Promise<string> {
  let last: Prisma.Sql | undefined;
  const reader = {
    async select(statement: Prisma.Sql) {
      last = statement;
      return (await client.query({ text: last.text, values: last.values })).rows;
    },
  };
  const wanted = { limit: 20, offset: 0, ...page };
  await listRecords(reader as unknown as Database, table, { organizationId, ...filter }, wanted, sort);
  // A prepared statement that runs often gets a plan for any values. For any status, PostgreSQL reads the whole list.
  const isAny = filter.status === undefined;
  const { rows } = await client.query<{ "QUERY PLAN": string }>({
    text: `EXPLAIN ${isAny ? "(GENERIC_PLAN)" : ""} ${last?.text}`,
    values: isAny ? [] : (last?.values as unknown[]),
  });
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  return plan;
}

const email = `${"0".repeat(32)}@example.com`;
const after = { time: "2026-03-01T09:00:00.000Z", id: chatbotId };
const cases: [keyof RecordRows, Omit<RecordFilter, "organizationId">, Partial<Page>, RecordSort, string][] = (
  ["leads", "conversations", "tickets", "meetings"] as const
).flatMap((table) => {
  const created = table === "conversations" ? "started_at" : "created_at";
  const byEmail = table === "meetings" ? "meetings_search_idx" : `${table}_email_idx`;
  return [
    [table, {}, {}, "-updated_at", `${table}_organization_id_updated_at_id_idx`],
    [table, {}, {}, "updated_at", `${table}_organization_id_updated_at_id_idx`],
    [table, {}, { after }, "-updated_at", `${table}_organization_id_updated_at_id_idx`],
    [table, {}, { offset: 2_000 }, "-updated_at", `${table}_organization_id_updated_at_id_idx`],
    [table, {}, { offset: 4_000 }, "-updated_at", `${table}_organization_id_updated_at_id_idx`],
    [table, {}, {}, "-created_at", `${table}_organization_id_${created}_id_idx`],
    [table, {}, { after }, "created_at", `${table}_organization_id_${created}_id_idx`],
    [table, { status: "absent" }, {}, "-updated_at", `${table}_organization_id_status_updated_at_id_idx`],
    [table, { q: "0123456" }, {}, "-updated_at", `${table}_search_idx`],
    [table, { email }, {}, "-updated_at", byEmail],
    [table, { externalId: "record-7" }, {}, "-updated_at", `${table}_organization_id_external_id_key`],
  ];
});

it.each([
  ...cases,
  ["leads", { phone: "77" }, {}, "-updated_at", "leads_phone_idx"] as (typeof cases)[number],
])("%s with %o, page %o, sorted by %s, are read with %s", async (table, filter, page, sort, index) => {
  const plan = await indexesOf(table, filter, page, sort);
  expect(plan).toContain(index);
  // In a table this small, the rows of a page with an offset may be read after their IDs are known.
  expect(page.offset !== undefined || !plan.includes(`Seq Scan on ${table}`)).toBe(true);
});
