import type { EventType } from "@parley/contract";
import { type Database, isUuid, literal, orderBy, type Position, Prisma } from "@parley/database";

/** Maximum number of events that a page searches for matches. */
const mostSearched = 10_000;

export interface EventFilter {
  organizationId: string;
  types?: EventType[] | undefined;
  chatbotId?: string | undefined;
  /** The record in the event's data; of messages and feedback, their conversation. */
  recordId?: string | undefined;
  /** Earliest time of the event; RFC 3339. */
  since?: string | undefined;
  /** End of these times, exclusive; RFC 3339. */
  until?: string | undefined;
}

export interface ListedEvent {
  id: string;
  type: string;
  chatbotId: string | null;
  createdAt: Date;
  recordId: string | null;
}

export interface EventPage {
  events: ListedEvent[];
  /** Where the next page begins; null after the last page. */
  next: Position | null;
}

const order = orderBy("created_at", true);
const { forward } = order;

/**
 * Returns one page of an organization's events without their bodies, latest first. A page searches at most 10,000 events. If the search ends there, the page may
 * have fewer events than `limit`, and `next` continues the search.
 */
export async function listEvents(
  db: Pick<Database, "select">,
  filter: EventFilter,
  { limit, after }: { limit: number; after?: Position | undefined },
): Promise<EventPage> {
  const { types, chatbotId, recordId } = filter;
  if ([chatbotId, recordId].some((id) => id !== undefined && !isUuid(id))) return { events: [], next: null };
  const matches = [Prisma.sql`true`];
  if (types !== undefined) matches.push(Prisma.sql`type = ANY (${types})`);
  if (chatbotId !== undefined) matches.push(Prisma.sql`chatbot_id = ${chatbotId}::uuid`);
  const most = literal(mostSearched);
  const rows = await db.select<Row>(Prisma.sql`
    WITH found AS (
      SELECT id, place, matches FROM (
        SELECT id, created_at, row_number() OVER (ORDER BY ${forward})::int AS place, ${Prisma.join(matches, " AND ")} AS matches
        FROM events WHERE ${searched(filter, after)}
        ORDER BY ${forward} LIMIT ${most}
      ) AS searched WHERE matches OR place = ${most} LIMIT ${limit + 1}
    )
    SELECT events.id, created_at AS "createdAt", place, matches, type, chatbot_id AS "chatbotId", record_id AS "recordId"
    FROM found JOIN events ON events.id = found.id ORDER BY found.place`);
  const found = rows.filter((row) => row.matches);
  const events = found.slice(0, limit).map(toEvent);
  const end = found.length > limit ? events.at(-1) : rows.find(({ place }) => place === mostSearched);
  return { events, next: end ? { time: end.createdAt.toISOString(), id: end.id } : null };
}

interface Row extends ListedEvent {
  /** Number of the event among the searched ones. */
  place: number;
  /** False for the last searched event if it does not match. */
  matches: boolean;
}

function toEvent({ id, type, chatbotId, createdAt, recordId }: Row): ListedEvent {
  return { id, type, chatbotId, createdAt, recordId };
}

/** Conditions of the events to search, which an index finds. */
function searched({ organizationId, recordId, since, until }: EventFilter, after?: Position): Prisma.Sql {
  const all = [Prisma.sql`organization_id = ${organizationId}::uuid`];
  if (recordId !== undefined) all.push(Prisma.sql`record_id = ${recordId}::uuid`);
  if (since !== undefined) all.push(Prisma.sql`created_at >= ${since}::timestamptz`);
  if (until !== undefined) all.push(Prisma.sql`created_at < ${until}::timestamptz`);
  // The record's index does not have the IDs, so the time is also compared without them.
  if (after) all.push(Prisma.sql`created_at <= ${after.time}::timestamptz`, order.after(after));
  return Prisma.join(all, " AND ");
}
