import { visibleUntil } from "./changes.ts";
import type { Database } from "./client.ts";
import { Prisma } from "./generated/client.ts";
import { foldSomeRecordCounts } from "./record-counts.ts";
import { type RecordRows, recordColumns } from "./record-rows.ts";
import { isUuid } from "./uuid.ts";

interface RecordFilter {
  organizationId: string;
  chatbotId?: string | undefined;
  status?: string | undefined;
  /** Earliest `updated_at`, RFC 3339. */
  since?: string | undefined;
}

interface RecordPage<Row> {
  rows: Row[];
  /** Number of matching records on all pages. */
  total: number;
}

interface Page {
  limit: number;
  offset: number;
}

/**
 * Returns one page of an organization's records, latest change first, with the total. With `since`, leaves out changes that a running
 * one may still precede, so that a client that polls with the latest `updated_at` that it has seen misses none.
 */
export async function listRecords<Table extends keyof RecordRows>(
  db: Database,
  table: Table,
  filter: RecordFilter,
  page: Page,
): Promise<RecordPage<RecordRows[Table]>> {
  // An invalid chatbot_id matches nothing, like an unknown one.
  if (filter.chatbotId !== undefined && !isUuid(filter.chatbotId)) return { rows: [], total: 0 };
  if (filter.since === undefined) return selectPage(db, table, filter, page);
  const before = await visibleUntil(db, filter.organizationId);
  return selectPage(db, table, { ...filter, before }, page);
}

/** More changes than this are folded by the process that finds them, in case no worker runs. */
const manyChanges = 1_000;

/** From this offset on, the index is read from the nearer end. Before, that would cost more than it saves. */
const largeOffset = 1_000;

/** Reads page and total in one statement, because integrations poll these lists and two Prisma queries cost three times as much. */
async function selectPage<Table extends keyof RecordRows>(
  db: Database,
  table: Table,
  filter: RecordFilter & { before?: string },
  { limit, offset }: Page,
): Promise<RecordPage<RecordRows[Table]>> {
  const source = Prisma.sql`${Prisma.raw(table)} WHERE ${conditions(filter)}`;
  const totals = filter.since === undefined ? countedTotal(table, filter) : totalSince(table, filter, source);
  const fromEnd =
    filter.since === undefined && offset >= largeOffset && offset > (await selectTotal(db, totals)) / 2;
  const columns = recordColumns[table];
  // The total of this statement says which rows the page has, counted from the end.
  const page = fromEnd
    ? Prisma.sql`SELECT * FROM (
        SELECT ${columns} FROM ${source} ORDER BY updated_at, id
        LIMIT greatest(0, (SELECT least(${limit}::int, total - ${offset}::bigint) FROM totals))
        OFFSET greatest(0, (SELECT total - ${offset}::bigint - ${limit}::int FROM totals))
      ) AS reversed ORDER BY "updatedAt" DESC, id DESC`
    : Prisma.sql`SELECT ${columns} FROM ${source} ORDER BY updated_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
  const rows = await db.$queryRaw<({ total: number; changes: number } & RecordRows[Table])[]>`
    WITH totals AS MATERIALIZED (${totals})
    SELECT totals.total, totals.changes, page.* FROM totals LEFT JOIN (${page}) AS page ON true`;
  const { total = 0, changes = 0 } = rows[0] ?? {};
  if (changes > manyChanges) void foldSomeRecordCounts(db).catch(() => undefined); // The next reader tries again.
  // After the last page, the result is one row with the total and nulls.
  return { rows: rows.filter((row) => row.id !== null), total };
}

async function selectTotal(db: Database, totals: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<{ total: number }[]>`${totals}`;
  return row?.total ?? 0;
}

/** Selects the total by the counts of records, which does not depend on the number of records. */
function countedTotal(table: string, { organizationId, chatbotId, status }: RecordFilter): Prisma.Sql {
  const all = [Prisma.sql`organization_id = ${organizationId}::uuid AND kind = ${table}`];
  if (chatbotId !== undefined) all.push(Prisma.sql`chatbot_id = ${chatbotId}::uuid`);
  if (status !== undefined) all.push(Prisma.sql`status = ${status}`);
  const where = Prisma.join(all, " AND ");
  return Prisma.sql`
    SELECT coalesce(sum(count), 0)::int AS total, coalesce(sum(is_change), 0)::int AS changes
    FROM (SELECT count, 0 AS is_change FROM record_counts WHERE ${where}
          UNION ALL SELECT change, 1 FROM record_count_changes WHERE ${where}) AS counts`;
}

/** Up to this number, records on one side of `since` are counted to know the other side. */
const countedSide = 1_000;

/**
 * Selects the number of records since a time. Few newer records are counted; with few older ones, they are subtracted from the count of
 * all records. PostgreSQL evaluates only the sides that it needs, in the snapshot of the statement.
 */
function totalSince(
  table: string,
  filter: RecordFilter & { before?: string },
  source: Prisma.Sql,
): Prisma.Sql {
  const { since, before, ...counted } = filter;
  const all = Prisma.sql`${Prisma.raw(table)} WHERE ${conditions(counted)}`;
  const isOlder = Prisma.sql`updated_at < ${since}::timestamptz`;
  const isLater = before === undefined ? Prisma.sql`false` : Prisma.sql`updated_at >= ${before}::timestamptz`;
  const most = Prisma.sql`LIMIT ${countedSide + 1}::int`;
  return Prisma.sql`
    WITH newer AS MATERIALIZED (SELECT count(*)::int AS n FROM (SELECT FROM ${source} ${most}) AS first_newer),
         older AS MATERIALIZED (SELECT count(*)::int AS n FROM (SELECT FROM ${all} AND ${isOlder} ${most}) AS first_older)
    SELECT CASE WHEN (SELECT n FROM newer) <= ${countedSide}::int THEN (SELECT n FROM newer)
                WHEN (SELECT n FROM older) <= ${countedSide}::int
                  THEN counted.total - (SELECT n FROM older) - (SELECT count(*)::int FROM ${all} AND ${isLater})
                ELSE (SELECT count(*)::int FROM ${source}) END AS total,
           counted.changes
    FROM (${countedTotal(table, counted)}) AS counted`;
}

function conditions({
  organizationId,
  chatbotId,
  status,
  since,
  before,
}: RecordFilter & { before?: string }): Prisma.Sql {
  const all = [Prisma.sql`organization_id = ${organizationId}::uuid`];
  if (chatbotId !== undefined) all.push(Prisma.sql`chatbot_id = ${chatbotId}::uuid`);
  if (status !== undefined) all.push(Prisma.sql`status = ${status}`);
  if (since !== undefined) all.push(Prisma.sql`updated_at >= ${since}::timestamptz`);
  if (before !== undefined) all.push(Prisma.sql`updated_at < ${before}::timestamptz`);
  return Prisma.join(all, " AND ");
}
