import { description } from "@parley/contract";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roles } from "./accounts/users.ts";
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

const { schemas } = description.components;

/** Values of each column, from the contract or from the code. */
const enumerations: Record<string, readonly string[]> = {
  "chatbots.status": schemas.ChatbotStatus["x-extensible-enum"],
  "console_links.role": roles,
  "conversations.sentiment": schemas.Sentiment.enum,
  "conversations.status": schemas.ConversationStatus["x-extensible-enum"],
  "delivery_attempts.outcome": ["delivered", "failed", "exhausted"],
  "erasures.status": schemas.ErasureStatus.enum,
  "erasures.subject_type": ["email", "external_id"],
  "leads.status": schemas.LeadStatus["x-extensible-enum"],
  "meetings.status": schemas.MeetingStatus["x-extensible-enum"],
  "message_feedback.rating": schemas.Rating.enum,
  "messages.role": schemas.MessageRole.enum,
  "messages.sentiment": schemas.Sentiment.enum,
  "notices.type": ["subscription.failing", "subscription.failed", "subscription.recovered"],
  "oauth_tokens.kind": ["access", "refresh"],
  "organizations.plan": schemas.Plan["x-extensible-enum"],
  "redeliveries.status": schemas.Redelivery.properties.status.enum,
  "subscriptions.ordering": schemas.DeliveryOrdering["x-extensible-enum"],
  "subscriptions.status": schemas.SubscriptionStatus.enum,
  "tickets.priority": schemas.TicketPriority.enum,
  "tickets.status": schemas.TicketStatus["x-extensible-enum"],
  "tool_runs.status": schemas.ToolRunStatus.enum,
  "usage_periods.metric": schemas.UsageMetric["x-extensible-enum"],
  "usage_records.metric": schemas.UsageMetric["x-extensible-enum"],
  "user_sessions.role": roles,
  "users.role": roles,
};

interface Check {
  column: string;
  definition: string;
}

async function checks(): Promise<Check[]> {
  const { rows } = await client.query<Check>(`
    SELECT relname || '.' || attname AS column, pg_get_constraintdef(pg_constraint.oid) AS definition
    FROM pg_constraint
    JOIN pg_class ON pg_class.oid = conrelid AND NOT relispartition
    JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'c' AND pg_get_constraintdef(pg_constraint.oid) NOT LIKE '%CASE %' ORDER BY 1, 2`);
  return rows;
}

it("allows the statuses of the contract, and no others", async () => {
  const allowed = (await checks())
    .map(
      ({ column, definition }) =>
        [column, [...definition.matchAll(/'([^']+)'::text/g)].map(([, word]) => word)] as const,
    )
    .filter(([, words]) => words.length > 0);
  expect(allowed).toEqual(Object.entries(enumerations));
});

it("has a constraint for every text column with the name of an enumeration", async () => {
  const { rows } = await client.query<{ column: string }>(`
    SELECT table_name || '.' || column_name AS column FROM information_schema.columns
    JOIN pg_class ON relname = table_name AND relkind IN ('r', 'p') AND NOT relispartition
    -- Triggers copy the columns of record counts from columns that are checked.
    WHERE table_schema = 'public' AND table_name NOT LIKE 'record\\_count%' AND column_name IN ('status', 'priority', 'sentiment', 'role', 'plan', 'rating', 'kind', 'outcome', 'metric', 'ordering')
    ORDER BY 1`);
  expect(rows.map(({ column }) => column)).toEqual(
    Object.keys(enumerations).filter((column) => !["notices.type", "erasures.subject_type"].includes(column)),
  );
});

const required = {
  organizations: "(name) VALUES ('Acme')",
  chatbots: "(organization_id, name, model) SELECT id, 'Bot', 'm' FROM organizations",
  leads: "(organization_id, chatbot_id) SELECT organization_id, id FROM chatbots",
  tickets: "(organization_id, subject) SELECT id, 'Help' FROM organizations",
  meetings:
    "(organization_id, title, starts_at, ends_at, timezone) SELECT id, 'Call', now(), now(), 'UTC' FROM organizations",
  subscriptions:
    "(organization_id, target_url, event_types, secret) SELECT id, 'https://x.example', ARRAY['lead.created'], '' FROM organizations",
  usage_periods: "(organization_id, metric, period_start) SELECT id, 'messages', now() FROM organizations",
};

it.each([
  ["organizations", "name = ''"],
  ["organizations", "plan = 'gold'"],
  ["chatbots", "qualification_threshold = 101"],
  ["leads", "score = -1"],
  ["leads", "score = 101"],
  ["leads", "status = 'lost'"],
  ["leads", "external_id = ''"],
  ["tickets", "subject = ''"],
  ["meetings", "ends_at = starts_at - interval '1 s'"],
  ["subscriptions", "event_types = '{}'"],
  ["subscriptions", "failure_count = -1"],
  ["usage_periods", "used = -1"],
] satisfies [keyof typeof required, string][])("refuses %s with %s", async (table, change) => {
  await client.query("BEGIN");
  try {
    for (const [name, values] of Object.entries(required))
      await client.query(`INSERT INTO ${name} ${values}`);
    await expect(client.query(`UPDATE ${table} SET ${change}`)).rejects.toThrow("violates check constraint");
  } finally {
    await client.query("ROLLBACK");
  }
});
