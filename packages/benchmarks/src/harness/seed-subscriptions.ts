import { randomUUIDv7 } from "node:crypto";
import { createSecretBox, createSigningSecret } from "@parley/webhooks";
import { withClient } from "./with-client.ts";

/** A subscription with its secret in the clear, for checking signatures. */
export interface Subscriber {
  organizationId: string;
  subscriptionId: string;
  secret: string;
}

/**
 * Organizations that subscribe to `lead.created`.
 *
 * @param organizations of each the target URLs of its subscriptions
 * @returns one organization's subscribers after the other's
 */
export async function seedSubscriptions(
  databaseUrl: string,
  encryptionKey: string,
  organizations: string[][],
): Promise<Subscriber[]> {
  const box = createSecretBox(Buffer.from(encryptionKey, "base64"));
  const subscribers: Subscriber[] = [];
  await withClient(databaseUrl, async (client) => {
    for (const [i, targetUrls] of organizations.entries()) {
      const organizationId = randomUUIDv7();
      await client.query("INSERT INTO organizations (id, name, plan) VALUES ($1, $2, 'pro')", [
        organizationId,
        `Organization ${i + 1}`,
      ]);
      for (const targetUrl of targetUrls) {
        const [subscriptionId, secret] = [randomUUIDv7(), createSigningSecret()];
        await client.query(
          `INSERT INTO subscriptions (id, organization_id, target_url, event_types, secret)
           VALUES ($1, $2, $3, '{lead.created}', $4)`,
          [subscriptionId, organizationId, targetUrl, box.seal(secret, organizationId)],
        );
        await client.query("INSERT INTO subscription_queues (subscription_id) VALUES ($1)", [subscriptionId]);
        subscribers.push({ organizationId, subscriptionId, secret });
      }
    }
  });
  return subscribers;
}
