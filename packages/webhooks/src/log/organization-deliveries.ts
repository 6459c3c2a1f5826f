import {
  type Database,
  isUuid,
  literal,
  orderBy,
  type Position,
  Prisma,
  type Transaction,
} from "@parley/database";
import {
  columns,
  type DeliveryFilter,
  type DeliveryRow,
  finishedColumns,
  pendingColumns,
  pendingColumnsOf,
} from "./delivery-rows.ts";

/** Maximum number of rows of the log, and of pending deliveries, that a page searches for matches, if it has fewer subscriptions than this. */
const mostSearched = 2 ** 12;
/** Maximum number of a record's events whose deliveries are found, the latest ones. */
const mostEvents = 500;

export interface OrganizationDeliveryFilter extends Omit<DeliveryFilter, "subscriptionId" | "status"> {
  subscriptionId?: string | undefined;
  /** `retrying` are the pending ones with attempts. */
  status?: "pending" | "retrying" | "delivered" | "exhausted" | undefined;
  eventId?: string | undefined;
  /** Finds deliveries of the latest 500 events of the record. */
  recordId?: string | undefined;
}

export interface OrganizationDeliveryPage {
  rows: DeliveryRow[];
  hasMore: boolean;
  /** Where the next page begins; null if `hasMore` is false. */
  next: Position | null;
}

interface Paging {
  limit: number;
  after?: Position | undefined;
}

const dayMs = 86_400_000;

type Reader = Pick<Database, "select" | "$transaction">;

const order = orderBy("at", true);

/**
 * Returns one page of the deliveries to an organization's subscriptions, latest first, like `listDeliveries`. A page searches about 4,000
 * rows of the log and as many pending deliveries, the same number for each subscription. If the search of a subscription ends there, the
 * page may have fewer deliveries than `limit`, and `next` continues the search.
 */
export async function listOrganizationDeliveries(
  db: Reader,
  filter: OrganizationDeliveryFilter,
  paging: Paging,
): Promise<OrganizationDeliveryPage> {
  const ids = [filter.subscriptionId, filter.eventId, filter.recordId];
  const subscriptions = ids.every((id) => id === undefined || isUuid(id))
    ? await subscriptionsOf(db, filter)
    : [];
  if (subscriptions.length === 0) return { rows: [], hasMore: false, next: null };
  const byEvent = filter.eventId !== undefined || filter.recordId !== undefined;
  const found = byEvent
    ? await searchEvents(db, subscriptions, filter, paging)
    : await searchDays(db, subscriptions, filter, paging);
  const end = found.find(({ isEnd }) => isEnd);
  const rows = found.flatMap(({ isEnd, ...row }) => (isEnd ? [] : [row]));
  // After the end, matches of a subscription may be missing.
  const complete = end ? rows.filter((row) => !isBefore(row, end)) : rows;
  const page = complete.slice(0, paging.limit);
  const last = complete.length > paging.limit ? page.at(-1) : end;
  return {
    rows: page,
    hasMore: last !== undefined,
    next: last ? { time: last.at.toISOString(), id: last.id } : null,
  };
}

type Found = DeliveryRow & {
  /** Whether this is no result, but the row at which the search ended. */
  isEnd: boolean;
};

function isBefore(row: DeliveryRow, other: DeliveryRow): boolean {
  const difference = row.at.getTime() - other.at.getTime();
  return difference < 0 || (difference === 0 && row.id < other.id);
}

async function subscriptionsOf(
  db: Reader,
  { organizationId, subscriptionId }: OrganizationDeliveryFilter,
): Promise<string[]> {
  const rows = await db.select<{ id: string }>(Prisma.sql`
    SELECT id FROM subscriptions WHERE organization_id = ${organizationId}::uuid`);
  const all = rows.map(({ id }) => id);
  return subscriptionId === undefined ? all : all.filter((id) => id === subscriptionId.toLowerCase());
}

/** Searches the last day, which is most often enough, and then all days. Each partition costs a look at the index of each subscription. */
async function searchDays(
  db: Reader,
  subscriptions: string[],
  filter: OrganizationDeliveryFilter,
  paging: Paging,
): Promise<Found[]> {
  const end = Math.min(
    Date.now(),
    Date.parse(filter.until ?? "+275000-01-01"),
    Date.parse(paging.after?.time ?? "+275000-01-01"),
  );
  if (filter.since === undefined || Date.parse(filter.since) < end - dayMs) {
    const since = new Date(Math.max(end - dayMs, 0)).toISOString();
    const found = await searchSubscriptions(db, subscriptions, { ...filter, since }, paging);
    if (found.length > paging.limit || found.some(({ isEnd }) => isEnd)) return found;
  }
  return searchSubscriptions(db, subscriptions, filter, paging);
}

/** Searches each subscription from the latest delivery, by an index. */
async function searchSubscriptions(
  db: Reader,
  subscriptions: string[],
  filter: OrganizationDeliveryFilter,
  { limit, after }: Paging,
): Promise<Found[]> {
  // Powers of two, so that there are few different statements.
  const fair = 2 ** Math.floor(Math.log2(mostSearched / subscriptions.length));
  const most = literal(Math.max(fair, 2 ** Math.ceil(Math.log2(limit + 1))));
  const searches = [];
  if (mayBeFinished(filter)) {
    searches.push(Prisma.sql`
      SELECT * FROM (
      SELECT ${finishedColumns}, ${finishedMatches(filter)} AS matches,
             row_number() OVER (ORDER BY a.attempted_at DESC, a.delivery_id DESC)::int AS place
      FROM delivery_attempts a
      WHERE a.subscription_id = s.id AND ${finishedRange(filter, after)}
      ORDER BY a.attempted_at DESC, a.delivery_id DESC LIMIT ${most}
      ) AS searched WHERE matches OR place = ${most} ORDER BY at DESC, id DESC LIMIT ${limit + 1}`);
  }
  if (mayBePending(filter)) {
    // The ID of a delivery begins with its creation, so this is the order of the list.
    searches.push(Prisma.sql`
      SELECT ${pendingColumnsOf(Prisma.sql`NULL`)}, matches, place FROM (
        SELECT d.*, ${pendingMatches(filter)} AS matches, row_number() OVER (ORDER BY d.id DESC)::int AS place FROM deliveries d
        WHERE d.subscription_id = s.id AND ${pendingRange(filter, after)}
        ORDER BY d.id DESC LIMIT ${most}
      ) AS d WHERE matches OR place = ${most} ORDER BY d.id DESC LIMIT ${limit + 1}`);
  }
  const found = searches.map(
    (search) => Prisma.sql`
      SELECT latest.* FROM unnest(${subscriptions}::uuid[]) AS s (id) CROSS JOIN LATERAL (${search}) AS latest`,
  );
  const statement = Prisma.sql`
    WITH found AS MATERIALIZED (${Prisma.join(found, " UNION ALL ")})
    SELECT ${columns}, coalesce(event_type, (SELECT type FROM events WHERE events.id = event_id)) AS "eventType", "isEnd" FROM (
      (SELECT *, false AS "isEnd" FROM found WHERE matches ORDER BY ${order.forward} LIMIT ${limit + 1})
      UNION ALL
      (SELECT *, true AS "isEnd" FROM found WHERE place = ${most} ORDER BY ${order.forward} LIMIT 1)
    ) AS page ORDER BY ${order.forward}`;
  return db.$transaction(async (tx) => {
    await readInOrder(tx);
    return tx.$queryRaw<Found[]>(statement);
  });
}

/**
 * Makes the planner read rows in the order of an index for the rest of the transaction. It estimates a subscription by the average, and would
 * read and sort all rows of a large one.
 */
async function readInOrder(tx: Transaction): Promise<void> {
  await tx.$queryRaw`
    SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
           set_config('random_page_cost', '0.1', true)`;
}

/** Finds the deliveries of an event, or of the events of a record. */
async function searchEvents(
  db: Reader,
  subscriptions: string[],
  filter: OrganizationDeliveryFilter,
  { limit, after }: Paging,
): Promise<Found[]> {
  const events = await eventsOf(db, filter);
  const isOfEvents = (table: Prisma.Sql) =>
    Prisma.sql`${table}.event_id = ANY (${events}::uuid[]) AND ${table}.subscription_id = ANY (${subscriptions}::uuid[])`;
  const searches = [];
  if (mayBeFinished(filter)) {
    searches.push(Prisma.sql`
      SELECT ${finishedColumns} FROM delivery_attempts a
      WHERE ${isOfEvents(Prisma.sql`a`)} AND ${finishedRange(filter, after)} AND ${finishedMatches(filter)}`);
  }
  if (mayBePending(filter)) {
    searches.push(Prisma.sql`
      SELECT ${pendingColumns} FROM deliveries d JOIN events e ON e.id = d.event_id
      WHERE ${isOfEvents(Prisma.sql`d`)} AND ${pendingRange(filter, after)} AND ${pendingMatches(filter)}`);
  }
  return db.select<Found>(Prisma.sql`
    SELECT ${columns}, false AS "isEnd" FROM (${Prisma.join(searches, " UNION ALL ")}) AS found
    ORDER BY ${order.forward} LIMIT ${limit + 1}`);
}

async function eventsOf(
  db: Reader,
  { organizationId, eventId, recordId }: OrganizationDeliveryFilter,
): Promise<string[]> {
  if (recordId === undefined) return eventId === undefined ? [] : [eventId];
  const rows = await db.select<{ id: string }>(Prisma.sql`
    SELECT id FROM events WHERE organization_id = ${organizationId}::uuid AND record_id = ${recordId}::uuid
    ORDER BY created_at DESC LIMIT ${literal(mostEvents)}`);
  const events = rows.map(({ id }) => id);
  return eventId === undefined ? events : events.filter((id) => id === eventId.toLowerCase());
}

function mayBeFinished({ status }: OrganizationDeliveryFilter): boolean {
  return status !== "pending" && status !== "retrying";
}

function mayBePending({ status }: OrganizationDeliveryFilter): boolean {
  return status !== "delivered" && status !== "exhausted";
}

/** Conditions of the attempts to search, which an index of a subscription finds. */
function finishedRange(
  { organizationId, status, since, until }: OrganizationDeliveryFilter,
  after: Position | undefined,
): Prisma.Sql {
  const all = [Prisma.sql`a.organization_id = ${organizationId}::uuid`];
  if (status === "exhausted") all.push(Prisma.sql`a.outcome <> 'delivered'`);
  if (since !== undefined) all.push(Prisma.sql`a.attempted_at >= ${since}::timestamptz`);
  if (until !== undefined) all.push(Prisma.sql`a.attempted_at < ${until}::timestamptz`);
  if (after) {
    all.push(Prisma.sql`a.attempted_at <= ${after.time}::timestamptz`); // Excludes partitions, unlike the next one.
    all.push(Prisma.sql`(a.attempted_at, a.delivery_id) < (${after.time}::timestamptz, ${after.id}::uuid)`);
  }
  return Prisma.join(all, " AND ");
}

function finishedMatches({ status, eventType }: OrganizationDeliveryFilter): Prisma.Sql {
  const isFinished =
    status === undefined ? Prisma.sql`a.outcome <> 'failed'` : Prisma.sql`a.outcome = ${status}`;
  return eventType === undefined ? isFinished : Prisma.sql`${isFinished} AND a.event_type = ${eventType}`;
}

/** Conditions of the pending deliveries to search, which an index of a subscription finds. */
function pendingRange(
  { organizationId, status, since, until }: OrganizationDeliveryFilter,
  after: Position | undefined,
): Prisma.Sql {
  const all = [Prisma.sql`d.organization_id = ${organizationId}::uuid`];
  if (status === "retrying") all.push(Prisma.sql`d.attempts > 0`);
  if (since !== undefined)
    all.push(Prisma.sql`d.id >= ${firstIdOf(since)}::uuid AND ${created} >= ${since}::timestamptz`);
  if (until !== undefined)
    all.push(Prisma.sql`d.id < ${firstIdOf(until, 1)}::uuid AND ${created} < ${until}::timestamptz`);
  if (after) {
    all.push(Prisma.sql`d.id < ${firstIdOf(after.time, 1)}::uuid`);
    all.push(Prisma.sql`(${created}, d.id) < (${after.time}::timestamptz, ${after.id}::uuid)`);
  }
  return Prisma.join(all, " AND ");
}

const created = Prisma.sql`uuid_extract_timestamp(d.id)`;

function pendingMatches({ eventType }: OrganizationDeliveryFilter): Prisma.Sql {
  return eventType === undefined
    ? Prisma.sql`true`
    : Prisma.sql`(SELECT type FROM events WHERE events.id = d.event_id) = ${eventType}`;
}

/** Returns the lowest UUIDv7 of a time, or of some milliseconds later. There are none before 1970. */
function firstIdOf(time: string, laterMs = 0): string {
  const hex = Math.max(Math.floor(Date.parse(time)) + laterMs, 0)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
