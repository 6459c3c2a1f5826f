import type { Subscription, Transaction } from "@parley/database";
import { lastPlace } from "../publish/ordering.ts";
import type { DeliveryRow } from "./delivery-rows.ts";

/** Maximum number of pending deliveries of a subscription that are counted for the console. */
export const mostPendingCounted = 10_000;

/** Creates another delivery of an event, after all others of its record, and returns its ID; null if the event is no longer stored. */
export async function redeliverEvent(
  tx: Transaction,
  { organizationId, subscriptionId, eventId }: DeliveryRow,
  ordering: Subscription["ordering"],
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO deliveries (organization_id, subscription_id, event_id, redelivery, record_key, sequence)
    SELECT organization_id, ${subscriptionId}::uuid, id, true, ${lastPlace(ordering)} FROM events e
    WHERE id = ${eventId}::uuid AND organization_id = ${organizationId}::uuid
    FOR KEY SHARE
    RETURNING id`;
  return row?.id ?? null;
}
