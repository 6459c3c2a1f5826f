import { randomBytes } from "node:crypto";
import { hashToken } from "@parley/database";
import { withClient } from "../harness/seed.ts";
import { type LargeOrganization, rareType } from "./seed-log.ts";

/** Signs an admin of an organization in, and returns the cookie of the session. */
export async function signInAdmin(databaseUrl: string, organizationId: string): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  await withClient(databaseUrl, (client) =>
    client.query(
      `WITH admin AS (
         INSERT INTO users (organization_id, email, name, password_hash, role)
         VALUES ($1::uuid, $1::text || '@example.com', 'Uma User', 'none', 'admin') RETURNING id
       )
       INSERT INTO user_sessions (token_hash, user_id, expires_at) SELECT $2, id, now() + interval '1 hour' FROM admin`,
      [organizationId, hashToken(secret)],
    ),
  );
  return `parley_session=${secret}`;
}

/** Returns requests of pages by name. @param url address of the API */
export function consolePages(
  url: string,
  cookie: string,
  { subscriptionIds, eventId, recordId }: LargeOrganization,
): Record<string, () => Promise<unknown>> {
  const webhook = `/console/webhooks/${subscriptionIds[1]}`;
  const paths = {
    overview: "/console",
    webhooks: "/console/webhooks",
    "a webhook": webhook,
    "form of a webhook": `${webhook}/edit`,
    "redelivery of a day": `${webhook}/redelivery`,
    deliveries: "/console/deliveries",
    "deliveries, exhausted": "/console/deliveries?status=exhausted",
    "deliveries, rare type": `/console/deliveries?event_type=${rareType}`,
    "deliveries of a record": `/console/deliveries?record=${recordId}`,
    events: "/console/events",
    "events, rare type": `/console/events?event_type=${rareType}`,
    "an event": `/console/events/${eventId}`,
    "API requests": "/console/requests",
    "plan and usage": "/console/usage",
  };
  const requestPage = (path: string) => async () => {
    const response = await fetch(url + path, { headers: { cookie } });
    const text = await response.text();
    if (response.status !== 200 || !text.includes("Sign out")) throw new Error(`${path}: ${response.status}`);
  };
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, requestPage(path)]));
}
