import { type EventType, eventTypes, type RequestOf, type Schemas } from "@parley/contract";
import { type Database, isUuid, type Redelivery, type Subscription } from "@parley/database";
import {
  attemptDetailsOf,
  attemptsOf,
  createRedelivery,
  type DeliveryRow,
  findDelivery,
  mostUnfinished,
  type RedeliveryRange,
  readVersions,
  redeliverEvent,
  type SecretBox,
  sentRequest,
  testBody,
} from "@parley/webhooks";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { AuthoredChange } from "../../http/make-change.ts";
import { recordWebhookChange } from "../webhooks/audit.ts";
import { lockSubscription } from "../webhooks/service.ts";
import { deliveryDetailsResource, deliveryResource, redeliveryResource } from "./resource.ts";

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
 *   the subscription is failed or disabled
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

/**
 * Returns the range of a request: by default exhausted deliveries of all types, until now.
 *
 * @param now time by the database's clock, at which the range ends at the latest
 */
export function rangeOf(
  { organizationId, id }: Pick<Subscription, "organizationId" | "id">,
  {
    since,
    until,
    status = "exhausted",
    event_type: eventType,
  }: RequestOf<"redeliverWebhookDeliveries">["body"],
  now: Date,
): RedeliveryRange {
  return {
    organizationId,
    subscriptionId: id,
    status,
    eventType: eventType ?? null,
    since: new Date(since),
    until: new Date(Math.min(until === undefined ? now.getTime() : Date.parse(until), now.getTime())),
  };
}

/**
 * Requests another delivery for each event of the matching finished deliveries. `runBackfills` creates them.
 *
 * @throws ApiError 400 if the subscription is failed or disabled, or has too many unfinished redeliveries
 */
export async function redeliverMany(
  change: AuthoredChange,
  subscriptionId: string,
  body: RequestOf<"redeliverWebhookDeliveries">["body"],
): Promise<Redelivery> {
  const subscription = await requireActive(change, subscriptionId);
  const range = rangeOf(subscription, body, change.now);
  const redelivery = await createRedelivery(change.tx, range);
  if (!redelivery) {
    const reason = `The subscription has ${mostUnfinished} unfinished redeliveries.`;
    throw new ApiError(400, "invalid_request", `${reason} Wait until one is finished.`);
  }
  const { status, event_type, since, until } = redeliveryResource(redelivery);
  await recordWebhookChange(change, "deliveries.redelivered", subscription, {
    redelivery_id: redelivery.id,
    status,
    since,
    until,
    ...(event_type !== null && { event_type }),
  });
  return redelivery;
}

/**
 * Finds a redelivery by ID.
 *
 * @throws ApiError 404 if the subscription has no such redelivery
 */
export async function findRedelivery(
  db: Pick<Database, "redelivery">,
  { organizationId, id: subscriptionId }: Pick<Subscription, "organizationId" | "id">,
  id: string,
): Promise<Redelivery> {
  const found = { where: { id, subscriptionId, organizationId } };
  const row = isUuid(id) ? await db.redelivery.findFirst(found) : null;
  if (!row) throw notFound("redelivery");
  return row;
}

async function requireActive(change: AuthoredChange, subscriptionId: string): Promise<Subscription> {
  const subscription = await lockSubscription(change, subscriptionId);
  if (!subscription.enabled)
    throw new ApiError(400, "invalid_request", "The subscription is disabled. Enable it first.");
  if (subscription.status === "failed")
    throw new ApiError(400, "invalid_request", "The subscription's status is failed. Resume it first.");
  return subscription;
}
