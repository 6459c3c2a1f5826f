import type { RequestOf, Schemas } from "@parley/contract";
import type { Database } from "@parley/database";
import {
  attemptsOf,
  type Change,
  type DeliveryRow,
  findDelivery,
  redeliverEvent,
  redeliverRange,
} from "@parley/webhooks";
import { ApiError, notFound } from "../../http/api-error.ts";
import { lockSubscription } from "../webhooks/service.ts";
import { deliveryDetailsResource, deliveryResource } from "./resource.ts";

interface Place {
  organizationId: string;
  subscriptionId: string;
}

/** Deliveries with their latest attempts. */
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
  const last = new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]));
  return rows.map((row) => deliveryResource(row, last.get(row.id) ?? null));
}

/** @throws ApiError 404 when the subscription has no such delivery */
export async function readDelivery(
  db: Database,
  place: Place,
  id: string,
): Promise<Schemas["DeliveryDetails"]> {
  const row = await findDelivery(db, place, id);
  if (!row) throw notFound("delivery");
  const { organizationId } = place;
  const [attempts, event] = await Promise.all([
    attemptsOf(db, organizationId, [row.id]),
    db.event.findFirst({ where: { id: row.eventId, organizationId }, select: { body: true } }),
  ]);
  return deliveryDetailsResource(row, attempts, event?.body ?? null);
}

/**
 * Makes the event of a finished delivery due once more, under another id; a pending delivery is made due now.
 *
 * @throws ApiError 404 when there is no such delivery; 400 for a test, when the event is no longer kept, and when the
 *   subscription is failed
 */
export async function redeliver(
  change: Change,
  subscriptionId: string,
  deliveryId: string,
): Promise<Schemas["Delivery"]> {
  const { tx, organizationId, notifyPending } = change;
  await requireActive(change, subscriptionId);
  const place = { organizationId, subscriptionId };
  const row = await findDelivery(tx, place, deliveryId);
  if (!row) throw notFound("delivery");
  if (row.test)
    throw new ApiError(400, "invalid_request", "A test is not delivered again; send another one.");
  const isPending = row.status === "pending";
  if (isPending) {
    await tx.$executeRaw`UPDATE deliveries SET next_at = least(next_at, now()) WHERE id = ${row.id}::uuid`;
  }
  const id = isPending ? row.id : await redeliverEvent(tx, row);
  const again = id && (await findDelivery(tx, place, id));
  if (!again) throw new ApiError(400, "invalid_request", "The event of this delivery is no longer kept.");
  notifyPending(subscriptionId);
  const [resource] = await withLastAttempts(tx, organizationId, [again]);
  return resource as Schemas["Delivery"];
}

/**
 * Makes the events of finished deliveries due once more.
 *
 * @returns how many
 * @throws ApiError 400 when the subscription is failed
 */
export async function redeliverMany(
  change: Change,
  subscriptionId: string,
  {
    since,
    until,
    status = "exhausted",
    event_type: eventType,
  }: RequestOf<"redeliverWebhookDeliveries">["body"],
): Promise<number> {
  const { tx, organizationId, notifyPending } = change;
  await requireActive(change, subscriptionId);
  const count = await redeliverRange(tx, { organizationId, subscriptionId, status, eventType, since, until });
  if (count > 0) notifyPending(subscriptionId);
  return count;
}

async function requireActive(change: Change, subscriptionId: string): Promise<void> {
  const { status } = await lockSubscription(change, subscriptionId);
  if (status !== "failed") return;
  throw new ApiError(400, "invalid_request", "The subscription is failed; resume it first.");
}
