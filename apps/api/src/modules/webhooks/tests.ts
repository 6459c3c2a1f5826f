import type { EventType } from "@parley/contract";
import type { DeliveryAttempt, Subscription } from "@parley/database";
import type { Change, DeliveryRow, SentTest } from "@parley/webhooks";

/** A delivery with its latest attempt. */
export interface TriedDelivery {
  delivery: DeliveryRow;
  attempt: DeliveryAttempt;
}

/** The event type of a test: the one that is asked for, or else the first of the subscription. */
export function testedType({ eventTypes }: Subscription, asked: EventType | undefined): EventType {
  return asked ?? (eventTypes[0] as EventType);
}

/** Writes a test that was sent into the log. A test is tried once, so one that was not accepted is given up. */
export async function recordTest(
  { tx, organizationId }: Change,
  { id: subscriptionId }: Subscription,
  { deliveryId, eventId, eventType, attemptedAt, result }: SentTest,
): Promise<TriedDelivery> {
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
