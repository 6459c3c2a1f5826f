import type { Database, Subscription } from "@parley/database";
import { type Actor, recordChange } from "@parley/database/accounts";
import { notifyChanged } from "../notifications.ts";
import { lockSubscription } from "./lock-subscription.ts";

/** Who created subscriptions. Omitted members match all; at least one is needed. */
export interface Creator {
  organizationId?: string;
  userId?: string;
  /** ID of an app, or any app, but not the console. */
  clientId?: string | { not: null };
}

/** What happens to the webhooks of an app or a user that loses access. */
export type WebhookChoice = "disable" | "keep";

/**
 * Finds the enabled subscriptions that a user or an app created.
 *
 * @throws Error without a condition, which would match all subscriptions
 */
export async function subscriptionsCreatedBy(
  db: Pick<Database, "subscription">,
  creator: Creator,
): Promise<Pick<Subscription, "id" | "organizationId" | "targetUrl">[]> {
  if (Object.values(creator).every((value) => value === undefined)) throw new Error("there is no creator");
  return db.subscription.findMany({
    where: { enabled: true, ...creator },
    select: { id: true, organizationId: true, targetUrl: true },
    orderBy: { createdAt: "asc" },
  });
}

/**
 * Disables the subscriptions that a user or an app created, each in its own transaction. If interrupted, call it again.
 *
 * @returns number of subscriptions
 */
export async function disableSubscriptionsCreatedBy(
  db: Database,
  creator: Creator,
  by: Actor,
): Promise<number> {
  const found = await subscriptionsCreatedBy(db, creator);
  for (const { id, organizationId, targetUrl } of found) {
    await db.$transaction(async (tx) => {
      await lockSubscription(tx, organizationId, id);
      const data = { enabled: false, updatedAt: new Date() };
      const { count } = await tx.subscription.updateMany({ where: { id, enabled: true }, data });
      if (count === 0) return;
      await notifyChanged(tx, id);
      const details = { webhook_id: id, host: new URL(targetUrl).host, fields: ["enabled"] };
      await recordChange(tx, by, { event: "webhook.updated", organizationId, details });
    });
  }
  return found.length;
}
