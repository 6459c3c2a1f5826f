import { type EventType, eventTypes, type RequestOf, type Schemas } from "@parley/contract";
import type { Database, Subscription } from "@parley/database";
import {
  attemptDetailsOf,
  attemptsOf,
  type DeliveryRow,
  findDelivery,
  type Redeliveries,
  readVersions,
  redeliverEvent,
  redeliverRange,
  type SecretBox,
  sentRequest,
  testBody,
} from "@parley/webhooks";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { AuthoredChange } from "../../http/make-change.ts";
import { recordWebhookChange } from "../webhooks/audit.ts";
import { type PendingLimit, remainingPending } from "../webhooks/pending-limit.ts";
import { lockSubscription } from "../webhooks/service.ts";
import { deliveryDetailsResource, deliveryResource } from "./resource.ts";

/** Returns delivery resources with their last attempts. */
export async function withLastAttempts(
  db: Pick<Database, "deliveryAttempt">,
  organizationId: string,
  rows: DeliveryRow[],
): Promise<Schemas["Delivery"][]> {
  const attempts = await attemptsOf(
    db,
    organizationId,
    rows.map(({ id }) => id),
  );
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  // An attempt may have been logged after the rows were read.
  return rows.map((row) => {
    const known = byDelivery.get(row.id)?.findLast(({ attempt }) => attempt <= row.attempts);
    return deliveryResource(row, known ?? null);
  });
}

/**
 * Returns a delivery with its attempts and body.
 *
 * @throws ApiError 404 if the subscription has no such delivery
 */
export async function readDelivery(
  db: Database,
  secretBox: SecretBox,
  subscription: Subscription,
  id: string,
): Promise<Schemas["DeliveryDetails"]> {
  const { organizationId, id: subscriptionId } = subscription;
  const row = await findDelivery(db, { organizationId, subscriptionId }, id);
  if (!row) throw notFound("delivery");
  const [attempts, event] = await Promise.all([
    attemptDetailsOf(db, row),
    db.event.findFirst({ where: { id: row.eventId, organizationId }, select: { body: true } }),
  ]);
  const numbers = new Set(attempts.flatMap(({ version }) => version ?? []));
  const versions = await readVersions(db, subscription, [...numbers]);
  const isKnown = row.test && eventTypes.includes(row.eventType as EventType);
  const body = isKnown ? testBody(row.eventId, row.eventType as EventType, row.at) : (event?.body ?? null);
  return deliveryDetailsResource(row, attempts, body, (attempt, exchange) => {
    const version = attempt.version === null ? undefined : versions.get(attempt.version);
    return version && sentRequest({ ...attempt, body }, version, secretBox, exchange);
  });
}

/**
 * Creates another delivery of a finished delivery's event. A pending delivery is scheduled for immediate sending instead.
 *
 * @throws ApiError 404 if the subscription has no such delivery; 400 if the delivery is a test, its event is no longer stored, or
 *   the subscription's status is `failed`
 */
export async function redeliver(
  change: AuthoredChange,
  subscriptionId: string,
  deliveryId: string,
): Promise<Schemas["Delivery"]> {
  const { tx, organizationId, notifyPending } = change;
  const subscription = await requireActive(change, subscriptionId);
  const key = { organizationId, subscriptionId };
  const row = await findDelivery(tx, key, deliveryId);
  if (!row) throw notFound("delivery");
  if (row.test)
    throw new ApiError(400, "invalid_request", "Test deliveries cannot be redelivered. Send a new test.");
  const isPending = row.status === "pending";
  if (isPending) {
    await tx.$executeRaw`UPDATE deliveries SET next_at = least(next_at, now()) WHERE id = ${row.id}::uuid`;
  }
  const id = isPending ? row.id : await redeliverEvent(tx, row, subscription.ordering);
  const again = id && (await findDelivery(tx, key, id));
  if (!again)
    throw new ApiError(
      400,
      "invalid_request",
      "The event of this delivery is no longer stored, so it cannot be redelivered.",
    );
  await recordWebhookChange(change, "deliveries.redelivered", subscription, { delivery_id: deliveryId });
  notifyPending(subscriptionId);
  const [resource] = await withLastAttempts(tx, organizationId, [again]);
  return resource as Schemas["Delivery"];
}

/** Timeout of a change with `redeliverMany`, longer than for other changes, because a range may contain millions of deliveries. */
export const rangeTimeoutMs = 120_000;

/**
 * Creates another delivery for each event of the matching finished deliveries.
 *
 * @throws ApiError 400 if the subscription's status is `failed`, or too many deliveries would be pending
 */
export async function redeliverMany(
  change: AuthoredChange,
  limit: PendingLimit,
  subscriptionId: string,
  {
    since,
    until,
    status = "exhausted",
    event_type: eventType,
  }: RequestOf<"redeliverWebhookDeliveries">["body"],
): Promise<Redeliveries> {
  const { tx, organizationId, notifyPending } = change;
  const subscription = await requireActive(change, subscriptionId);
  const filter = { organizationId, subscriptionId, status, eventType, since, until };
  const remaining = await remainingPending(tx, organizationId, limit);
  const created = await redeliverRange(tx, filter, subscription.ordering);
  if (created.count === 0) return created;
  if (created.count > remaining) {
    const most = limit.maxPending.toLocaleString("en");
    const reason = `The range has ${created.count.toLocaleString("en")} deliveries, and the organization would have more than ${most} pending ones.`;
    throw new ApiError(400, "invalid_request", `${reason} Nothing was changed. Choose a shorter range.`);
  }
  await recordWebhookChange(change, "deliveries.redelivered", subscription, {
    deliveries: created.count,
    status,
    since,
    ...(until !== undefined && { until }),
    ...(eventType !== undefined && { event_type: eventType }),
  });
  notifyPending(subscriptionId);
  return created;
}

async function requireActive(change: AuthoredChange, subscriptionId: string): Promise<Subscription> {
  const subscription = await lockSubscription(change, subscriptionId);
  if (subscription.status !== "failed") return subscription;
  throw new ApiError(400, "invalid_request", "The subscription's status is failed. Resume it first.");
}
