import { randomBytes, randomUUIDv7 } from "node:crypto";
import { connect } from "@parley/database";
import { createSecretBox, createSigningSecret } from "@parley/webhooks";
import type { Client } from "pg";

export { createTenant, type Tenant } from "@parley/database/testing/tenant";

/** Opens a connection for a function and closes it afterwards. An interrupted benchmark may close it earlier. */
export async function withClient<Result>(
  databaseUrl: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(databaseUrl);
  client.on("error", () => {});
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Returns the variables that API and worker need: an encryption key, and deliveries to the loopback. */
export function createVariables(databaseUrl: string) {
  return {
    DATABASE_URL: databaseUrl,
    PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
  };
}

export type Variables = ReturnType<typeof createVariables> & Record<string, string>;

/** A subscription with its secret in plain text, for checking signatures. */
export interface Subscriber {
  organizationId: string;
  subscriptionId: string;
  targetUrl: string;
  secret: string;
}

/**
 * Creates organizations that subscribe to `lead.created`.
 *
 * @param organizations target URLs of the subscriptions of each
 */
export async function seedSubscriptions(
  client: Client,
  { PARLEY_ENCRYPTION_KEY: key }: Variables,
  organizations: string[][],
): Promise<Subscriber[]> {
  const box = createSecretBox(Buffer.from(key, "base64"));
  const subscribers = organizations.flatMap((targetUrls) => {
    const organizationId = randomUUIDv7();
    return targetUrls.map((targetUrl) => ({
      organizationId,
      subscriptionId: randomUUIDv7(),
      targetUrl,
      secret: createSigningSecret(),
    }));
  });
  await client.query(
    `WITH new AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[])
         AS new (organization_id, id, target_url, secret)
     ), organization AS (
       INSERT INTO organizations (id, name, plan) SELECT DISTINCT organization_id, 'Organization', 'pro' FROM new
     ), subscription AS (
       INSERT INTO subscriptions (id, organization_id, target_url, event_types, secret)
       SELECT id, organization_id, target_url, '{lead.created}', secret FROM new
     )
     INSERT INTO subscription_queues (subscription_id) SELECT id FROM new`,
    [
      subscribers.map(({ organizationId }) => organizationId),
      subscribers.map(({ subscriptionId }) => subscriptionId),
      subscribers.map(({ targetUrl }) => targetUrl),
      subscribers.map(({ secret, organizationId }) => box.encrypt(secret, organizationId)),
    ],
  );
  return subscribers;
}
