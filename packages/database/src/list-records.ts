import { seeAllChanges } from "./changes.ts";
import type { Database, Transaction } from "./client.ts";
import { Prisma } from "./generated/client.ts";
import { type RecordRows, recordColumns } from "./record-rows.ts";
import { isUuid } from "./uuid.ts";

interface RecordFilter {
  organizationId: string;
  chatbotId?: string | undefined;
  status?: string | undefined;
  /** RFC 3339, inclusive. */
  since?: string | undefined;
}

interface RecordPage<Row> {
  rows: Row[];
  /** Number of records that match, on all pages. */
  total: number;
}

interface Page {
  limit: number;
  offset: number;
}

/**
 * One page of an organization's records, newest change first, with the total. With `since` it waits for the changes that
 * are under way, so that a poller which asks for what is newer than the latest time it saw misses none.
 */
export async function listRecords<Table extends keyof RecordRows>(
  db: Database,
  table: Table,
  filter: RecordFilter,
  page: Page,
): Promise<RecordPage<RecordRows[Table]>> {
  // A chatbot_id that is no id at all matches nothing, as an unknown one does.
  if (filter.chatbotId !== undefined && !isUuid(filter.chatbotId)) return { rows: [], total: 0 };
  if (filter.since === undefined) return selectPage(db, table, filter, page);
  return seeAllChanges(db, filter.organizationId, (tx) => selectPage(tx, table, filter, page));
}

/** One statement: these lists are what integrations poll, and two Prisma queries cost three times as much. */
async function selectPage<Table extends keyof RecordRows>(
  db: Pick<Transaction, "$queryRaw">,
  table: Table,
  filter: RecordFilter,
  { limit, offset }: Page,
): Promise<RecordPage<RecordRows[Table]>> {
  const source = Prisma.sql`${Prisma.raw(table)} WHERE ${conditions(filter)}`;
  const rows = await db.$queryRaw<({ total: number } & RecordRows[Table])[]>`
    SELECT (SELECT count(*)::int FROM ${source}) AS total, page.*
    FROM (VALUES (1)) AS one
    LEFT JOIN (
      SELECT ${recordColumns[table]} FROM ${source}
      ORDER BY updated_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}
    ) AS page ON true`;
  const total = rows[0]?.total ?? 0;
  // Past the last page the total stands on a row of nulls.
  return { rows: rows.filter((row) => row.id !== null), total };
}

function conditions({ organizationId, chatbotId, status, since }: RecordFilter): Prisma.Sql {
  const all = [Prisma.sql`organization_id = ${organizationId}::uuid`];
  if (chatbotId !== undefined) all.push(Prisma.sql`chatbot_id = ${chatbotId}::uuid`);
  if (status !== undefined) all.push(Prisma.sql`status = ${status}`);
  if (since !== undefined) all.push(Prisma.sql`updated_at >= ${since}::timestamptz`);
  return Prisma.join(all, " AND ");
}
