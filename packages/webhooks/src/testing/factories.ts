import type { Database } from "@parley/database";
import type { NewEvent } from "../index.ts";

interface SubscriptionSource {
  db: Database;
  subscribe(targetUrl: string, options: { organizationId: string }): Promise<{ id: string }>;
}

/** Creates a subscription with pending deliveries of one event. @param of ID of its organization; default: a new one */
export async function createSubscriptionWithBacklog(
  fixture: SubscriptionSource,
  url: string,
  deliveries: number,
  of?: string,
): Promise<string> {
  const data = { name: "Behind", plan: "pro" };
  const organizationId = of ?? (await fixture.db.organization.create({ data })).id;
  const { id } = await fixture.subscribe(url, { organizationId });
  await fixture.db.$executeRaw`
    WITH event AS (
      INSERT INTO events (id, organization_id, type, body, created_at)
      VALUES (uuidv7(), ${organizationId}::uuid, 'lead.created', '{}', now()) RETURNING id
    )
    INSERT INTO deliveries (organization_id, subscription_id, event_id)
    SELECT ${organizationId}::uuid, ${id}::uuid, event.id FROM event, generate_series(1, ${deliveries}::int)`;
  return id;
}

/** Creates events of 20 records in the gap of a failed or disabled subscription. */
export async function createSkippedEvents(
  db: Database,
  subscriptionId: string,
  events: number,
): Promise<void> {
  await db.$executeRaw`
    WITH record AS MATERIALIZED (SELECT uuidv7() AS id, i AS number FROM generate_series(1, 20) AS i), event AS (
      INSERT INTO events (id, organization_id, type, body, record_id, created_at)
      SELECT uuidv7(), s.organization_id, 'lead.created', '{"data":{"attributes":{"score":5}}}', record.id, now()
      FROM subscriptions s, generate_series(1, ${events}::int) AS i JOIN record ON record.number = i % 20 + 1
      WHERE s.id = ${subscriptionId}::uuid
      RETURNING id, sequence
    )
    INSERT INTO skipped_events (subscription_id, gap_from, sequence, event_id)
    SELECT s.id, s.gap_from, sequence, event.id FROM subscriptions s, event WHERE s.id = ${subscriptionId}::uuid`;
}

export function leadCreated(
  chatbotId: string | null,
  { id = "01928c5e-7a10-7c44-8d21-0b6de2f0a911", score = 5 } = {},
): NewEvent {
  const now = new Date().toISOString();
  return {
    type: "lead.created",
    chatbotId,
    data: {
      id,
      type: "lead",
      attributes: {
        contact: { name: "Zoë 🦊", email: "zoe@example.com", phone: null, company: null },
        chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
        status: "new",
        score,
        qualification: {},
        source: null,
        created_at: now,
        updated_at: now,
        qualified_at: null,
        converted_at: null,
      },
    },
  };
}
