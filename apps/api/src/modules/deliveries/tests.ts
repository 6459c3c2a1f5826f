import type { EventType } from "@parley/contract";
import type { Database, DeliveryAttempt, Subscription } from "@parley/database";
import type { Change, DeliveryRow, SentTest } from "@parley/webhooks";
import { notFound } from "../../http/api-error.ts";

/** A delivery with its latest attempt. */
interface TriedDelivery {
  delivery: DeliveryRow;
  attempt: DeliveryAttempt;
}

/** The event type of a test: the one that is asked for, or else the first of the subscription. */
export function testedType({ eventTypes }: Subscription, asked: EventType | undefined): EventType {
  return asked ?? (eventTypes[0] as EventType);
}

/** The database's time, by which secrets change over and the log is ordered: this machine's clock may be wrong. */
export async function timeOf(db: Pick<Database, "$queryRaw">): Promise<Date> {
  const [row] = await db.$queryRaw<
    { now: Date }[]
  >`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  if (!row) throw new Error("the database did not tell its time");
  return row.now;
}

/**
 * Logs a test delivery that was sent. A test is tried once, so one that was not accepted is given up.
 *
 * @throws ApiError 404 when the subscription was deleted meanwhile
 */
export async function recordTest(
  { tx, organizationId }: Change,
  { id: subscriptionId }: Subscription,
  { deliveryId, eventId, eventType, attemptedAt, result }: SentTest,
): Promise<TriedDelivery> {
  // The lock keeps the subscription until the commit: nothing is logged for a deleted organization.
  const kept = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 FROM subscriptions WHERE id = ${subscriptionId}::uuid FOR KEY SHARE`;
  if (kept.length === 0) throw notFound("webhook subscription");
  const status = result.delivered ? "delivered" : "exhausted";
  const attempt = await tx.deliveryAttempt.create({
    data: {
      deliveryId,
      attempt: 1,
      attemptedAt,
      organizationId,
      subscriptionId,
      eventId,
      eventType,
      outcome: status,
      test: true,
      durationMs: result.durationMs,
      statusCode: result.statusCode,
      error: result.error,
      responseBody: result.responseBody,
    },
  });
  const ids = { id: deliveryId, organizationId, subscriptionId, eventId };
  return {
    delivery: { ...ids, eventType, test: true, status, attempts: 1, nextAt: null, createdAt: attemptedAt },
    attempt,
  };
}
