import { type Subscription, timeOfChange } from "@parley/database";
import { joinInOnePass } from "../log/join-in-one-pass.ts";
import { notifyChanged } from "../notifications.ts";
import type { Change } from "../publish/publisher.ts";
import { everyChatbot } from "../publish/record-events.ts";

/** A transaction that began before the failure may still record its event after it, with an earlier time. */
const slackMs = 60_000;

/**
 * Makes a failed or failing subscription active again. Its circuit breaker closes and pending deliveries are sent at once.
 * Attempts in flight finish: they are logged, but no longer change the circuit. `failure_reason` stays until a delivery
 * succeeds.
 *
 * @param change holds the locks of the subscription and its queue. For a failed subscription it is exclusive, so
 *   that no event is recorded meanwhile.
 */
export async function resumeSubscription(change: Change, { id, updatedAt }: Subscription): Promise<void> {
  const { tx, notifyPending, now } = change;
  const calm = { status: "active", failureCount: 0, failedAt: null };
  await tx.subscription.update({
    where: { id },
    data: { ...calm, updatedAt: await timeOfChange(tx, now, updatedAt) },
  });
  await tx.subscriptionQueue.update({ where: { subscriptionId: id }, data: { circuitOpenUntil: null } });
  // What was tried before goes first again, as when it was made.
  await tx.$executeRaw`
    UPDATE deliveries SET next_at = uuid_extract_timestamp(id) WHERE subscription_id = ${id}::uuid AND next_at > now()`;
  await notifyChanged(tx, id);
  notifyPending(id);
}

/** Part of a gap. */
interface GapPart {
  /** Where the part begins; the beginning of the gap by default. */
  from?: Date | undefined;
  /** How many events the part holds at most, apart from those with the same time; all by default. */
  limit?: number;
}

/**
 * Creates deliveries for events of the time in which a subscription was failed, each event once: those that match it now, and
 * from before the failure those that matched it then. A gap that is not filled stays until a delivery succeeds.
 *
 * @param within a transaction that holds the locks of the subscription and its queue. Events that are recorded meanwhile are
 *   left out, unless the change is exclusive
 * @returns how many deliveries were created, and where the next part begins; null after the last
 */
export async function fillGap(
  { tx, organizationId }: Pick<Change, "tx" | "organizationId">,
  { id, gapFrom }: Pick<Subscription, "id" | "gapFrom">,
  { from, limit }: GapPart = {},
): Promise<{ deliveries: number; next: Date | null }> {
  if (!gapFrom) return { deliveries: 0, next: null };
  const beginning = new Date(gapFrom.getTime() - slackMs);
  const partBegins = from ?? beginning;
  const next = limit === undefined ? null : await timeAfter(tx, organizationId, partBegins, limit);
  await joinInOnePass(tx);
  // The lock keeps the events from being removed as too old before the deliveries are there, see remove-old-events.ts.
  const deliveries = await tx.$executeRaw`
    INSERT INTO deliveries (organization_id, subscription_id, event_id)
    SELECT e.organization_id, ${id}::uuid, e.id
    FROM events e JOIN subscription_routes route ON route.subscription_id = ${id}::uuid AND route.event_type = e.type
    WHERE e.organization_id = ${organizationId}::uuid
      AND e.created_at >= ${partBegins}::timestamptz AND e.created_at < coalesce(${next}::timestamptz, 'infinity')
      AND route.chatbot_id IN (${everyChatbot}::uuid, coalesce(e.chatbot_id, ${everyChatbot}::uuid))
      AND (e.created_at >= ${gapFrom}::timestamptz OR e.created_at >= route.since)
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.subscription_id = ${id}::uuid AND d.event_id = e.id)
      AND NOT EXISTS (
        SELECT 1 FROM delivery_attempts a
        WHERE a.subscription_id = ${id}::uuid AND a.event_id = e.id
          AND a.attempted_at >= ${beginning}::timestamptz - interval '1 minute' -- The worker's clock may differ a little.
      )
    ORDER BY e.id
    FOR KEY SHARE OF e`;
  return { deliveries, next };
}

/** Returns the time of the `count`-th event after a time; null if there are fewer. */
async function timeAfter(
  tx: Change["tx"],
  organizationId: string,
  from: Date,
  count: number,
): Promise<Date | null> {
  const event = await tx.event.findFirst({
    where: { organizationId, createdAt: { gt: from } },
    orderBy: { createdAt: "asc" },
    skip: count - 1,
    select: { createdAt: true },
  });
  return event?.createdAt ?? null;
}
