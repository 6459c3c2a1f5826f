/** What the reads of deliveries share. A delivery is in the table `deliveries` while it is pending, then its last attempt is in the log. */
import { Prisma } from "@parley/database";

/** Delivery, pending or finished. */
export interface DeliveryRow {
  id: string;
  organizationId: string;
  subscriptionId: string;
  eventId: string;
  eventType: string;
  test: boolean;
  /** Whether it was created after the outcome of an earlier delivery of the event. */
  redelivery: boolean;
  status: "pending" | "delivered" | "exhausted";
  attempts: number;
  /** Time of the next attempt; null unless pending. */
  nextAt: Date | null;
  createdAt: Date;
  /** Time of the last attempt or, for pending deliveries, of the creation. The list is sorted by it. */
  at: Date;
}

export interface DeliveryFilter {
  organizationId: string;
  subscriptionId: string;
  status?: string | undefined;
  eventType?: string | undefined;
  /** Earliest time of the last attempt or, for pending deliveries, of the creation; RFC 3339. */
  since?: string | undefined;
  /** End of these times, exclusive; RFC 3339. */
  until?: string | undefined;
}

/** Columns of a `DeliveryRow`, selected from `finishedColumns` or `pendingColumns`. */
export const columns = Prisma.sql`id, organization_id AS "organizationId", subscription_id AS "subscriptionId", event_id AS "eventId",
  event_type AS "eventType", test, redelivery, status, attempts, next_at AS "nextAt", created_at AS "createdAt", at`;
/** Columns of a finished delivery, whose last attempt is `a`. */
export const finishedColumns = Prisma.sql`a.delivery_id AS id, a.organization_id, a.subscription_id, a.event_id, a.event_type, a.test, a.redelivery,
  a.outcome AS status, a.attempt::int AS attempts, NULL::timestamptz AS next_at,
  uuid_extract_timestamp(a.delivery_id) AS created_at, a.attempted_at AS at`;
/** Columns of the pending delivery `d`, with the SQL of its event's type. */
export const pendingColumnsOf = (
  type: Prisma.Sql,
) => Prisma.sql`d.id, d.organization_id, d.subscription_id, d.event_id, ${type} AS event_type,
  false AS test, d.redelivery, 'pending' AS status, d.attempts::int AS attempts, d.next_at,
  uuid_extract_timestamp(d.id) AS created_at, uuid_extract_timestamp(d.id) AS at`;
/** Columns of the pending delivery `d` of the event `e`. */
export const pendingColumns = pendingColumnsOf(Prisma.sql`e.type`);

/** Condition: the attempt `a` is the last one of a matching delivery. */
export function finished({
  organizationId,
  subscriptionId,
  status,
  eventType,
  since,
  until,
}: DeliveryFilter): Prisma.Sql {
  const all = [
    Prisma.sql`a.subscription_id = ${subscriptionId}::uuid`,
    Prisma.sql`a.organization_id = ${organizationId}::uuid`,
    status === undefined ? Prisma.sql`a.outcome <> 'failed'` : Prisma.sql`a.outcome = ${status}`,
  ];
  if (eventType !== undefined) all.push(Prisma.sql`a.event_type = ${eventType}`);
  if (since !== undefined) all.push(Prisma.sql`a.attempted_at >= ${since}::timestamptz`);
  if (until !== undefined) all.push(Prisma.sql`a.attempted_at < ${until}::timestamptz`);
  return Prisma.join(all, " AND ");
}

/** Condition: the pending delivery `d` of the event `e` matches. */
export function pending({
  organizationId,
  subscriptionId,
  status,
  eventType,
  since,
  until,
}: DeliveryFilter): Prisma.Sql {
  const all = [
    Prisma.sql`d.subscription_id = ${subscriptionId}::uuid`,
    Prisma.sql`d.organization_id = ${organizationId}::uuid`,
  ];
  if (status !== undefined && status !== "pending") all.push(Prisma.sql`false`);
  if (eventType !== undefined) all.push(Prisma.sql`e.type = ${eventType}`);
  if (since !== undefined) all.push(Prisma.sql`uuid_extract_timestamp(d.id) >= ${since}::timestamptz`);
  if (until !== undefined) all.push(Prisma.sql`uuid_extract_timestamp(d.id) < ${until}::timestamptz`);
  return Prisma.join(all, " AND ");
}
