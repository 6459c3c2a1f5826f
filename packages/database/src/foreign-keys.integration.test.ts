import type { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "./client.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = await connect(database.url);
});
afterAll(async () => {
  await client.end();
  await database.release();
});

/** Columns with the ID of another row but without a foreign key, each with the reason. */
const withoutForeignKey = {
  "api_requests.client_id": "the request log outlives the access",
  "api_requests.grant_id": "the request log outlives the access",
  "api_requests.organization_id": "each batch of requests would lock rows once for each request",
  "api_requests.request_id": "it is the ID of the HTTP request, not of a row",
  "api_requests.user_id": "the request log outlives the access",
  "audit_log.client_id": "the audit log outlives what it records",
  "audit_log.grant_id": "the audit log outlives what it records",
  "audit_log.organization_id": "the audit log outlives what it records",
  "audit_log.user_id": "the audit log outlives what it records",
  "deliveries.event_id": "each publish would lock rows that others lock too",
  "deliveries.organization_id": "each publish would lock rows that others lock too",
  "deliveries.subscription_id": "each publish would lock rows that others lock too",
  "delivery_attempts.delivery_id": "the delivery is deleted once its outcome is final",
  "delivery_attempts.event_id": "each batch of results would lock rows that others lock too",
  "delivery_attempts.organization_id": "each batch of results would lock rows that others lock too",
  "delivery_attempts.subscription_id": "each batch of results would lock rows that others lock too",
  "delivery_counts.organization_id": "each batch of results would lock rows that others lock too",
  "delivery_counts.subscription_id": "each batch of results would lock rows that others lock too",
  "events.chatbot_id": "an event outlives the chatbot",
  "events.organization_id": "each publish would lock rows that others lock too",
  "events.record_id": "an event outlives the record",
  "messages.organization_id": "it is the conversation's; each message would lock one more row",
  "record_count_changes.chatbot_id": "each change of a record would lock rows that others lock too",
  "record_count_changes.organization_id": "each change of a record would lock rows that others lock too",
  "record_counts.chatbot_id": "it holds the nil UUID for records without a chatbot",
  "record_counts.organization_id": "counts change until the organization's last record is deleted",
  "redeliveries.searched_id": "the delivery is in the log",
  "skipped_events.event_id": "a job removes rows whose event is no longer stored",
  "skipped_events.subscription_id": "each publish would lock rows that others lock too",
  "subscription_routes.chatbot_id":
    "it holds the nil UUID for every chatbot; a trigger copies it from the subscription",
};

/** `external_id` is an ID of the chatbot platform. */
const columnsOfIds = `
  SELECT c.oid, c.relname, a.attnum, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attname LIKE '%\\_id' AND a.attname <> 'external_id' AND NOT a.attisdropped`;

async function names(sql: string): Promise<string[]> {
  const { rows } = await client.query({ text: sql, rowMode: "array" });
  return rows.flat();
}

it("has a foreign key for every reference except the listed ones", async () => {
  const without = await names(`
    SELECT relname || '.' || attname FROM (${columnsOfIds}) AS ids
    WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = ids.oid AND attnum = ANY (conkey))
    ORDER BY 1`);
  expect(without).toEqual(Object.keys(withoutForeignKey));
});

it("has ON DELETE CASCADE or SET NULL for every foreign key", async () => {
  const others = await names(`
    SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype = 'f' AND confdeltype NOT IN ('c', 'n')`);
  expect(others).toEqual([]);
});

it("has an index for every foreign key, so that a deletion scans no table", async () => {
  // organization_id does not count as a reference, unless the key is to the organization itself.
  const scanned = await names(`
    SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype = 'f' AND NOT EXISTS (
      SELECT FROM pg_index
      WHERE indrelid = conrelid AND (
        SELECT attnum FROM unnest(indkey::int2[]) WITH ORDINALITY AS columns (attnum, place)
        JOIN pg_attribute USING (attnum)
        WHERE attrelid = conrelid AND (attname <> 'organization_id' OR cardinality(conkey) = 1) ORDER BY place LIMIT 1
      ) = ANY (conkey))`);
  expect(scanned).toEqual([]);
});

it("rejects a lead of another organization's chatbot", async () => {
  const { rows } = await client.query(`
    WITH one AS (INSERT INTO organizations (name) VALUES ('One') RETURNING id),
         bot AS (INSERT INTO chatbots (organization_id, name, model) SELECT id, 'Bot', 'm' FROM one RETURNING id)
    INSERT INTO organizations (name) SELECT 'Two' FROM bot RETURNING id, (SELECT id FROM bot) AS chatbot`);
  await expect(
    client.query("INSERT INTO leads (organization_id, chatbot_id) VALUES ($1, $2)", [
      rows[0].id,
      rows[0].chatbot,
    ]),
  ).rejects.toThrow("leads_organization_id_chatbot_id_fkey");
});
