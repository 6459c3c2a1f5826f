/** What a record of each table needs on disk. */
import type { Client } from "pg";
import { runBench } from "./harness/bench.ts";
import { printTable } from "./harness/report.ts";
import { createTenant, withClient } from "./harness/seed.ts";

/** Statements that insert `$2` rows for the organization `$1`, in this order. */
const inserts: Record<string, string> = {
  leads: `
    INSERT INTO leads (organization_id, chatbot_id, external_id, contact_name, contact_email, contact_phone, contact_company,
                       qualification, source)
    SELECT $1, chatbot, 'lead-' || i, 'Ada ' || substr(md5(i::text), 1, 9), 'ada.' || i || '@example.com',
           '+43 1 555 ' || lpad(i::text, 8, '0'), 'Novak Ltd', '{"budget": "10-20k", "timeline": "this quarter"}',
           'https://example.com/pricing'
    FROM bot, generate_series(1, $2) AS i`,
  conversations: `
    INSERT INTO conversations (organization_id, chatbot_id, external_id, visitor_name, visitor_email, message_count)
    SELECT $1, chatbot, 'conversation-' || i, 'Ada ' || substr(md5(i::text), 1, 9), 'ada.' || i || '@example.com', 10
    FROM bot, generate_series(1, $2) AS i`,
  messages: `
    INSERT INTO messages (organization_id, conversation_id, chatbot_id, external_id, role, text)
    SELECT $1, id, chatbot, external_id || '/1', 'visitor', repeat('Where do I change the address? ', 5)
    FROM bot, (SELECT id, external_id FROM conversations LIMIT $2) AS conversation`,
  tickets: `
    INSERT INTO tickets (organization_id, chatbot_id, external_id, subject, description, requester_name, requester_email)
    SELECT $1, chatbot, 'ticket-' || i, 'Invoice ' || md5(i::text), repeat('The visitor moved in January. ', 5),
           'Ada ' || substr(md5(i::text), 1, 9), 'ada.' || i || '@example.com'
    FROM bot, generate_series(1, $2) AS i`,
  meetings: `
    INSERT INTO meetings (organization_id, chatbot_id, external_id, title, starts_at, ends_at, timezone, attendees)
    SELECT $1, chatbot, 'meeting-' || i, 'Demo ' || md5(i::text), now(), now(), 'Europe/Vienna',
           jsonb_build_array(jsonb_build_object('name', 'Ada Novak', 'email', 'ada.' || i || '@example.com'))
    FROM bot, generate_series(1, $2) AS i`,
  events: `
    INSERT INTO events (id, organization_id, type, chatbot_id, body, created_at)
    SELECT uuidv7(), $1, 'lead.created', chatbot,
           (SELECT string_agg(md5((i * 100 + part)::text), '') FROM generate_series(1, 24) AS part), now()
    FROM bot, generate_series(1, $2) AS i`,
  delivery_attempts: `
    INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id, event_type,
                                   outcome, duration_ms, status_code, response_body)
    SELECT uuidv7(), 1, now(), $1, $1, uuidv7(), 'lead.created', 'delivered', 12, 200, 'ok'
    FROM bot, generate_series(1, $2) AS i`,
  api_requests: `
    INSERT INTO api_requests (id, organization_id, requested_at, method, route, status_code, duration_ms, client_id, user_id, grant_id,
                              request_id)
    SELECT uuidv4(), $1, now() + i * interval '1 millisecond', 'GET', '/api/v1/leads/{id}', 200, 12,
           'parley_ci_0123456789abcdef', $1, $1, uuidv4()
    FROM bot, generate_series(1, $2) AS i`,
};

await runBench(async (bench) => {
  const count = bench.quick ? 1_000 : 200_000;
  const databaseUrl = await bench.startDatabase();
  await withClient(databaseUrl, async (client) => {
    const { organizationId } = await createTenant(client);
    const rows: string[][] = [];
    for (const [table, insert] of Object.entries(inserts)) {
      const bot = "WITH bot AS (SELECT id AS chatbot FROM chatbots WHERE organization_id = $1)";
      await client.query(insert.replace("INSERT", `${bot} INSERT`), [organizationId, count]);
      await client.query(`VACUUM ANALYZE ${table}`);
      rows.push([table, ...(await bytesPerRow(client, table, count))]);
    }
    printTable(["bytes per row", "table", "indexes", "together"], rows);
  });
});

/** Returns the size of the table, its indexes and both, divided by the number of rows. */
async function bytesPerRow(client: Client, table: string, count: number): Promise<string[]> {
  const { rows } = await client.query<{ data: string; indexes: string }>(
    `SELECT sum(pg_table_size(relid)) AS data, sum(pg_indexes_size(relid)) AS indexes
     FROM (SELECT $1::regclass AS relid UNION SELECT relid FROM pg_partition_tree($1::regclass)) AS relations`,
    [table],
  );
  const [data, indexes] = [Number(rows[0]?.data), Number(rows[0]?.indexes)];
  return [data, indexes, data + indexes].map((bytes) => Math.round(bytes / count).toLocaleString("en"));
}
