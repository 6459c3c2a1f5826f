import type { EventType } from "@parley/contract";
import { type Database, literal, type Position, Prisma, visibleUntil } from "@parley/database";
import { NIL } from "uuid";

/** Maximum number of events that a page searches for matches. */
const mostSearched = 10_000;
/** Size of the bodies after which a page ends, in bytes. */
const mostBytes = 4 * 1024 * 1024;

export interface FeedFilter {
  organizationId: string;
  eventTypes?: EventType[] | undefined;
  chatbotId?: string | undefined;
}

/** Where a page of the feed begins. */
export type FeedStart =
  /** After this position. */
  | { after: Position }
  /** At the first event at or after this time; RFC 3339. */
  | { since: string }
  /** After all events that exist. */
  | "latest";

/** Event at its position. */
export interface FeedEvent extends Position {
  type: string;
  chatbotId: string | null;
  body: string;
}

export interface FeedPage {
  events: FeedEvent[];
  /** Whether more events may follow now. */
  hasMore: boolean;
  /** Where the next page begins. */
  next: Position;
  /** End of the feed when it was read. */
  end: Position;
}

/**
 * Returns one page of an organization's events, ordered by time and ID. It leaves out events that an event of a running change may
 * precede, so that a reader that continues at `next` gets each event once.
 */
export async function readFeed(
  db: Database,
  { organizationId, eventTypes, chatbotId }: FeedFilter,
  start: FeedStart,
  limit: number,
): Promise<FeedPage> {
  const end: Position = { time: await visibleUntil(db, organizationId), id: NIL };
  if (start === "latest") return { events: [], hasMore: false, next: end, end };
  const from =
    "after" in start ? start.after : { time: await firstStored(db, organizationId, start.since), id: NIL };
  const after = "after" in start ? Prisma.sql`>` : Prisma.sql`>=`;
  const matches = [Prisma.sql`true`];
  if (eventTypes !== undefined) matches.push(Prisma.sql`type = ANY (${eventTypes})`);
  if (chatbotId !== undefined) matches.push(Prisma.sql`chatbot_id::text = ${chatbotId.toLowerCase()}`);
  const most = literal(mostSearched);
  const rows = await db.select<Row>(Prisma.sql`
    WITH searched AS MATERIALIZED (
      SELECT id, created_at, type, chatbot_id, row_number() OVER (ORDER BY created_at, id)::int AS place
      FROM events
      WHERE organization_id = ${organizationId}::uuid AND (created_at, id) ${after} (${from.time}::timestamptz, ${from.id}::uuid)
        AND created_at < ${end.time}::timestamptz
      ORDER BY created_at, id LIMIT ${most}
    ), matching AS (
      SELECT id, place FROM searched WHERE ${Prisma.join(matches, " AND ")} ORDER BY place LIMIT ${limit + 1}
    ), measured AS (
      SELECT id, body, row_number() OVER earlier <= ${limit} AND sum(octet_length(body)) OVER earlier - octet_length(body) < ${literal(mostBytes)} AS fits
      FROM matching JOIN events USING (id) WINDOW earlier AS (ORDER BY place)
    )
    SELECT searched.id, searched.created_at AS time, searched.place, searched.type, searched.chatbot_id AS "chatbotId", fits,
           CASE WHEN fits THEN body END AS body
    FROM searched LEFT JOIN measured USING (id)
    WHERE fits IS NOT NULL OR searched.place = ${most}
    ORDER BY searched.place`);
  const events = rows.flatMap(({ id, time, type, chatbotId, body }) =>
    body === null ? [] : [{ id, time: time.toISOString(), type, chatbotId, body }],
  );
  const lastSearched = rows.find(({ place }) => place === mostSearched);
  if (rows.some(({ fits }) => fits === false))
    return { events, hasMore: true, next: events.at(-1) ?? end, end };
  if (lastSearched) {
    const next = { time: lastSearched.time.toISOString(), id: lastSearched.id };
    return { events, hasMore: true, next, end };
  }
  const isAhead = Date.parse(from.time) > Date.parse(end.time);
  const next = isAhead ? { ...from, time: new Date(from.time).toISOString() } : end;
  return { events, hasMore: false, next, end };
}

interface Row {
  id: string;
  time: Date;
  /** Number of the event among the searched ones. */
  place: number;
  type: string;
  chatbotId: string | null;
  /** Whether the event is on the page; null if it does not match. */
  fits: boolean | null;
  body: string | null;
}

/** Checks whether an event of the organization matches the filter. */
export function matchesFilter(
  { type, chatbotId }: Pick<FeedEvent, "type" | "chatbotId">,
  filter: Pick<FeedFilter, "eventTypes" | "chatbotId">,
): boolean {
  const { eventTypes } = filter as { eventTypes?: string[] };
  if (eventTypes !== undefined && !eventTypes.includes(type)) return false;
  return filter.chatbotId === undefined || filter.chatbotId.toLowerCase() === chatbotId;
}

/** Returns the given time or, if later, the time from which all events are stored. Some older events may still be stored. */
async function firstStored(db: Database, organizationId: string, time: string): Promise<string> {
  const removedBefore = await eventsRemovedBefore(db, organizationId);
  return removedBefore.getTime() > Date.parse(time) ? removedBefore.toISOString() : time;
}

/** Returns the time before which events of an organization may have been removed: after their retention, or because there were too many. */
export async function eventsRemovedBefore(
  db: Pick<Database, "select">,
  organizationId: string,
): Promise<Date> {
  const [row] = await db.select<{ time: Date }>(Prisma.sql`
    SELECT greatest(removed_before, (SELECT events_removed_before FROM organizations WHERE id = ${organizationId}::uuid)) AS time
    FROM event_retention`);
  return row?.time ?? new Date(0);
}

/** Returns the body of an event; undefined if the organization has no such event, or it is no longer stored. */
export async function findEventBody(
  db: Pick<Database, "select">,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.select<{ body: string }>(
    Prisma.sql`SELECT body FROM events WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid`,
  );
  return row?.body;
}
