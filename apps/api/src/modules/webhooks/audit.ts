import type { Prisma, Subscription } from "@parley/database";
import { recordChange } from "@parley/database/accounts";
import type { AuthoredChange } from "../../http/make-change.ts";

type WebhookEvent =
  | "webhook.created"
  | "webhook.updated"
  | "webhook.deleted"
  | "webhook.secret_rotated"
  | "webhook.resumed"
  | "deliveries.redelivered";

/**
 * Records a change of a subscription and its author in the audit log. Of the URL, only the host is recorded, because the path and
 * the query may contain credentials.
 */
export async function recordWebhookChange(
  { tx, organizationId, by }: AuthoredChange,
  event: WebhookEvent,
  { id, targetUrl }: Pick<Subscription, "id" | "targetUrl">,
  details: Prisma.InputJsonObject = {},
): Promise<void> {
  const recorded = { webhook_id: id, host: hostOf(targetUrl), ...details };
  await recordChange(tx, by, { event, organizationId, details: recorded });
}

/** Returns the host of a target URL, with its port. */
export function hostOf(targetUrl: string): string {
  return new URL(targetUrl).host;
}
