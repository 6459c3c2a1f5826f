import type { ResponseOf } from "@parley/contract";
import type { Client } from "pg";
import { fillLog } from "../harness/fill-log.ts";
import { createTenant } from "../harness/seed.ts";

/** An organization with leads, and what its requests refer to. */
export interface Organization {
  leads: number;
  /** Deliveries in the log of its subscription. */
  deliveries: number;
  token: string;
  chatbotId: string;
  subscriptionId: string;
  /** Contact and ID of the lead in the middle. */
  middle: { name: string; email: string; phone: string; externalId: string; createdAt: Date };
}

const firstNames =
  "Ada Ben Carla Deniz Emil Fatima Gita Hugo Ines Jun Kim Lena Malik Nora Otto Pia Quinn Rosa Sami Tove";

/** Creates an organization with chatbots and a number of leads, one per 10 seconds, and fills the log of its subscription. */
export async function createOrganization(
  client: Client,
  url: string,
  leads: number,
  deliveries: number,
): Promise<Organization> {
  const { organizationId, token } = await createTenant(client);
  const { rows: chatbots } = await client.query<{ id: string }>(
    `INSERT INTO chatbots (organization_id, name, model)
     SELECT $1, 'Chatbot ' || i, 'parley-large' FROM generate_series(1, 3) AS i RETURNING id`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO leads (organization_id, chatbot_id, external_id, contact_name, contact_email, contact_phone, status,
                        created_at, updated_at)
     SELECT $1, ($3::uuid[])[1 + i % 3], 'lead-' || i, ($4::text[])[1 + i % 20] || ' ' || substr(md5(i::text), 1, 9),
            'lead.' || i || '@example.com', '+43 1 555 ' || lpad(i::text, 8, '0'),
            CASE WHEN i % 4 = 0 THEN 'qualified' ELSE 'new' END, now() - i * interval '10 s', now() - i * interval '10 s'
     FROM generate_series(1, $2::int) AS i`,
    [organizationId, leads, chatbots.map(({ id }) => id), firstNames.split(" ")],
  );
  const { rows } = await client.query<Organization["middle"]>(
    `SELECT contact_name AS name, contact_email AS email, contact_phone AS phone, external_id AS "externalId",
            created_at AS "createdAt"
     FROM leads WHERE organization_id = $1 AND external_id = $2`,
    [organizationId, `lead-${leads / 2}`],
  );
  const [middle] = rows;
  if (!middle) throw new Error("void: the organization has no leads");
  const subscriptionId = await subscribe(url, token);
  await fillLog(client, deliveries, subscriptionId);
  return { leads, deliveries, token, chatbotId: chatbots[0]?.id ?? "", subscriptionId, middle };
}

/** Creates a subscription to which nothing is published, and returns its ID. */
async function subscribe(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/webhooks/subscribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ target_url: "http://127.0.0.1:9/none", event_types: ["usage.threshold_reached"] }),
  });
  if (response.status !== 201) throw new Error(`void: the subscription was refused with ${response.status}`);
  return ((await response.json()) as ResponseOf<"createWebhookSubscription">).data.id;
}
