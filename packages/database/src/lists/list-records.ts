import { visibleUntil } from "../changes.ts";
import type { Database } from "../client.ts";
import { Prisma } from "../generated/client.ts";
import { foldSomeRecordCounts } from "../record-counts.ts";
import { type RecordRows, recordColumns } from "../record-rows.ts";
import { isUuid } from "../uuid.ts";
import { conditions, isSearch, type RecordFilter } from "./filters.ts";
import { literal } from "./literal.ts";
import { type Order, orderOf, type Position, type RecordSort } from "./order.ts";
import { totalOf } from "./totals.ts";

type Table = keyof RecordRows;

/** Page to read. */
export interface Page {
  limit: number;
  /** Number of records to skip. With `after`, they are already skipped. */
  offset: number;
  /** Position after which the page starts. */
  after?: Position | undefined;
}

interface RecordPage<Row> {
  rows: Row[];
  /** Number of matching records on all pages; of a search, at most {@link mostCounted}. */
  total: number;
  hasMore: boolean;
}

/** Most records that are counted for a search. */
export const mostCounted = 1_000;

/**
 * Returns one page of an organization's records, with the total. With `since`, leaves out records that were updated after the oldest running change began,
 * so that a client that polls with the latest `updated_at` that it has seen misses none.
 */
export async function listRecords<Name extends Table>(
  db: Database,
  table: Name,
  filter: RecordFilter,
  page: Page,
  sort: RecordSort = "-updated_at",
): Promise<RecordPage<RecordRows[Name]>> {
  // An invalid chatbot_id matches nothing, like an unknown one.
  if (filter.chatbotId !== undefined && !isUuid(filter.chatbotId))
    return { rows: [], total: 0, hasMore: false };
  const order = orderOf(table, sort);
  const visible = filter.since === undefined ? filter : await withVisible(db, filter);
  const rows = isSearch(table, visible)
    ? await selectFound<Name>(db, table, visible, order, page)
    : await selectPage<Name>(db, table, visible, order, page);
  const { total = 0, changes = 0 } = rows[0] ?? {};
  if (changes > manyChanges) void foldSomeRecordCounts(db).catch(() => undefined); // The next reader tries again.
  // After the last page, the result is one row with the total and nulls.
  const found = rows.filter((row) => row.id !== null);
  return { rows: found.slice(0, page.limit), total, hasMore: found.length > page.limit };
}

/** Adds the time to the filter until which all changes are visible. */
async function withVisible(db: Database, filter: RecordFilter): Promise<RecordFilter> {
  const until = await visibleUntil(db, filter.organizationId);
  const { updatedBefore } = filter;
  const isEarlier = updatedBefore !== undefined && Date.parse(updatedBefore) < Date.parse(until);
  return { ...filter, updatedBefore: isEarlier ? updatedBefore : until };
}

/** More changes than this are folded by the process that finds them, in case no worker runs. */
const manyChanges = 1_000;

/** From this offset on, the rows before the page are skipped in the index, from its nearer end. Before, that costs more than it saves. */
const largeOffset = 1_000;

type TotalAndRow<Name extends Table> = { total: number; changes: number } & RecordRows[Name];

/**
 * Selects a page, one record of the next page, and the total in one statement, because integrations poll these lists and two Prisma
 * queries cost three times as much.
 */
async function selectPage<Name extends Table>(
  db: Database,
  table: Name,
  filter: RecordFilter,
  order: Order,
  { limit, offset, after }: Page,
): Promise<TotalAndRow<Name>[]> {
  const totals = totalOf(table, filter);
  const records = Prisma.raw(table);
  const where = conditions(table, filter);
  const wanted = limit + 1;
  let page = Prisma.sql`SELECT * FROM ${records} WHERE ${where} ORDER BY ${order.forward} LIMIT ${wanted} OFFSET ${offset}`;
  if (after !== undefined) {
    page = Prisma.sql`SELECT * FROM ${records} WHERE ${where} AND ${order.after(after)} ORDER BY ${order.forward} LIMIT ${wanted}`;
  } else if (offset >= largeOffset) {
    const isPastMiddle = offset > (await selectTotal(db, totals)) / 2;
    // The total of this statement says which rows the page has, counted from the end.
    const place = isPastMiddle
      ? Prisma.sql`ORDER BY ${order.backward}
          LIMIT greatest(0, (SELECT least(${wanted}::int, total - ${offset}::bigint) FROM totals))
          OFFSET greatest(0, (SELECT total - ${offset}::bigint - ${wanted}::int FROM totals))`
      : Prisma.sql`ORDER BY ${order.forward} LIMIT ${wanted} OFFSET ${offset}`;
    // The skipped rows are read from the index only. The outer limit tells PostgreSQL that there are few IDs.
    const ids = Prisma.sql`SELECT id FROM (SELECT id FROM ${records} WHERE ${where} ${place}) AS ids LIMIT 101`;
    page = Prisma.sql`SELECT * FROM ${records} WHERE id IN (${ids}) ORDER BY ${order.forward}`;
  }
  return db.select<TotalAndRow<Name>>(Prisma.sql`
    WITH totals AS MATERIALIZED (${totals})
    SELECT totals.total, totals.changes, page.*
    FROM totals LEFT JOIN (SELECT ${recordColumns[table]} FROM (${page}) AS records) AS page ON true`);
}

async function selectTotal(db: Database, totals: Prisma.Sql): Promise<number> {
  const [row] = await db.select<{ total: number }>(totals);
  return row?.total ?? 0;
}

/**
 * Selects a page of a search and the total, at most {@link mostCounted}. Few matches are found by an index of what is searched, and then
 * sorted. Among many matches the page is found by reading in the order of the list.
 */
async function selectFound<Name extends Table>(
  db: Database,
  table: Name,
  filter: RecordFilter,
  order: Order,
  { limit, offset, after }: Page,
): Promise<TotalAndRow<Name>[]> {
  const matching = Prisma.sql`SELECT * FROM ${Prisma.raw(table)} WHERE ${conditions(table, filter)}`;
  const select = (source: Prisma.Sql, total: Prisma.Sql) =>
    db.select<TotalAndRow<Name>>(Prisma.sql`
    WITH found AS MATERIALIZED (${matching} LIMIT ${literal(mostCounted)})
    SELECT totals.total, 0 AS changes, page.*
    FROM (SELECT ${total} AS total) AS totals LEFT JOIN (
      SELECT ${recordColumns[table]} FROM (${source} ORDER BY ${order.forward} LIMIT ${limit + 1} OFFSET ${after ? 0 : offset}) AS records
    ) AS page ON true`);
  const isAfter = after === undefined ? Prisma.sql`true` : order.after(after);
  const rows = await select(
    Prisma.sql`SELECT * FROM found WHERE ${isAfter}`,
    Prisma.sql`(SELECT count(*)::int FROM found)`,
  );
  if ((rows[0]?.total ?? 0) < mostCounted) return rows;
  return select(Prisma.sql`${matching} AND ${isAfter}`, Prisma.sql`${literal(mostCounted)}::int`);
}
