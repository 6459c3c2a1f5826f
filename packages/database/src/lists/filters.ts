import { Prisma } from "../generated/client.ts";
import type { RecordRows } from "../record-rows.ts";
import { createdColumn } from "./order.ts";

type Table = keyof RecordRows;

/** Filters of a list. All times are in RFC 3339. */
export interface RecordFilter {
  organizationId: string;
  chatbotId?: string | undefined;
  status?: string | undefined;
  /** Earliest `updated_at`. */
  since?: string | undefined;
  /** End of `updated_at`, exclusive. */
  updatedBefore?: string | undefined;
  /** Earliest time of creation. */
  createdAfter?: string | undefined;
  /** End of the time of creation, exclusive. */
  createdBefore?: string | undefined;
  /** Email address, in any case. */
  email?: string | undefined;
  /** Phone number, of which only digits are compared. */
  phone?: string | undefined;
  /** ID in the chatbot platform. */
  externalId?: string | undefined;
  /** Text that a name, email address or subject contains, in any case. */
  q?: string | undefined;
}

/** Range of a time: `from` inclusive, `to` exclusive. */
export interface TimeRange {
  column: string;
  from?: string | undefined;
  to?: string | undefined;
}

/** Searched text of each table. The migration has an index for each of these expressions; PostgreSQL uses it only if they are equal. */
const searchedText: Record<Table, string> = {
  chatbots: "lower(name)",
  leads: "lower(coalesce(contact_name, '') || ' ' || coalesce(contact_email, ''))",
  conversations: "lower(coalesce(visitor_name, '') || ' ' || coalesce(visitor_email, ''))",
  tickets: "lower(subject || ' ' || coalesce(requester_name, '') || ' ' || coalesce(requester_email, ''))",
  meetings: "lower(title || ' ' || jsonb_path_query_array(attendees, '$[*].* ? (@ != null)')::text)",
};

const emailColumns: Partial<Record<Table, string>> = {
  leads: "contact_email",
  conversations: "visitor_email",
  tickets: "requester_email",
};

/** Whether the filter finds few records by what they contain. Such records are counted, up to a limit. */
export function isSearch(table: Table, filter: RecordFilter): boolean {
  const { email, phone, externalId, q, chatbotId } = filter;
  const all = [email, phone, externalId, q, table === "chatbots" ? chatbotId : undefined];
  return all.some((value) => value !== undefined);
}

/** Returns the condition of a filter without its times. */
export function attributeConditions(table: Table, filter: RecordFilter): Prisma.Sql {
  const { organizationId, chatbotId, status, email, phone, externalId, q } = filter;
  const all = [Prisma.sql`organization_id = ${organizationId}::uuid`];
  if (chatbotId !== undefined) {
    all.push(Prisma.sql`${Prisma.raw(table === "chatbots" ? "id" : "chatbot_id")} = ${chatbotId}::uuid`);
  }
  if (status !== undefined) all.push(Prisma.sql`status = ${status}`);
  if (email !== undefined) all.push(hasEmail(table, email));
  if (phone !== undefined) {
    all.push(Prisma.sql`regexp_replace(contact_phone, '[^0-9]', '', 'g') = ${phone.replace(/\D/g, "")}`);
  }
  if (externalId !== undefined) all.push(Prisma.sql`external_id = ${externalId}`);
  if (q !== undefined) all.push(contains(table, q));
  return and(all);
}

/** Returns the condition of a filter. */
export function conditions(table: Table, filter: RecordFilter): Prisma.Sql {
  return and([attributeConditions(table, filter), ...timeRanges(table, filter).flatMap(inside)]);
}

/** Returns the ranges of times that the filter has. */
export function timeRanges(table: Table, filter: RecordFilter): TimeRange[] {
  return [
    { column: "updated_at", from: filter.since, to: filter.updatedBefore },
    { column: createdColumn(table), from: filter.createdAfter, to: filter.createdBefore },
  ].filter(({ from, to }) => from !== undefined || to !== undefined);
}

/** Returns the conditions of a time that is in the range. */
function inside({ column, from, to }: TimeRange): Prisma.Sql[] {
  const all: Prisma.Sql[] = [];
  if (from !== undefined) all.push(Prisma.sql`${Prisma.raw(column)} >= ${from}::timestamptz`);
  if (to !== undefined) all.push(Prisma.sql`${Prisma.raw(column)} < ${to}::timestamptz`);
  return all;
}

export function and(all: Prisma.Sql[]): Prisma.Sql {
  return Prisma.join(all, " AND ");
}

function contains(table: Table, text: string): Prisma.Sql {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return Prisma.sql`${Prisma.raw(searchedText[table])} LIKE lower(${pattern})`;
}

function hasEmail(table: Table, email: string): Prisma.Sql {
  const column = emailColumns[table];
  if (column !== undefined) return Prisma.sql`lower(${Prisma.raw(column)}) = lower(${email})`;
  // Attendees are JSON. The first condition uses the index, and the second compares.
  return Prisma.sql`${contains(table, JSON.stringify(email))} AND EXISTS (
    SELECT FROM jsonb_array_elements(attendees) AS attendee WHERE lower(attendee ->> 'email') = lower(${email}))`;
}
