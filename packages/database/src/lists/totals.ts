import { Prisma } from "../generated/client.ts";
import type { RecordRows } from "../record-rows.ts";
import {
  and,
  attributeConditions,
  conditions,
  type RecordFilter,
  type TimeRange,
  timeRanges,
} from "./filters.ts";

type Table = keyof RecordRows;

/**
 * Returns a query for `total`, the number of matching records, and `changes`, the number of changes of counts that it added. It costs the
 * same however many records there are, unless the filter has a range of times with many records both inside and outside.
 */
export function totalOf(table: Table, filter: RecordFilter): Prisma.Sql {
  const [range, another] = timeRanges(table, filter);
  if (range === undefined) return countedTotal(table, filter);
  if (another === undefined) return totalInside(table, filter, range);
  return Prisma.sql`SELECT count(*)::int AS total, 0 AS changes FROM ${Prisma.raw(table)} WHERE ${conditions(table, filter)}`;
}

/** Adds up the counts of records. */
function countedTotal(table: Table, { organizationId, chatbotId, status }: RecordFilter): Prisma.Sql {
  const all = [Prisma.sql`organization_id = ${organizationId}::uuid`, Prisma.sql`kind = ${table}`];
  if (chatbotId !== undefined) all.push(Prisma.sql`chatbot_id = ${chatbotId}::uuid`);
  if (status !== undefined) all.push(Prisma.sql`status = ${status}`);
  const where = and(all);
  return Prisma.sql`
    SELECT coalesce(sum(count), 0)::int AS total, coalesce(sum(is_change), 0)::int AS changes
    FROM (SELECT count, 0 AS is_change FROM record_counts WHERE ${where}
          UNION ALL SELECT change, 1 FROM record_count_changes WHERE ${where}) AS counts`;
}

/** Up to this number, the records inside or outside a range are counted to know the total. */
const fewRecords = 1_000;

/**
 * Counts the records in a range of times: few of them are counted; if few are outside, these are subtracted from the count of all.
 * PostgreSQL evaluates only the sides that it needs, in the snapshot of the statement.
 */
function totalInside(table: Table, filter: RecordFilter, { column, from, to }: TimeRange): Prisma.Sql {
  const all = Prisma.sql`${Prisma.raw(table)} WHERE ${attributeConditions(table, filter)}`;
  const source = Prisma.sql`${Prisma.raw(table)} WHERE ${conditions(table, filter)}`;
  const name = Prisma.raw(column);
  const earlier = from === undefined ? Prisma.sql`false` : Prisma.sql`${name} < ${from}::timestamptz`;
  const later = to === undefined ? Prisma.sql`false` : Prisma.sql`${name} >= ${to}::timestamptz`;
  const few = Prisma.sql`${fewRecords}::int`;
  const first = Prisma.sql`LIMIT ${fewRecords + 1}::int`;
  return Prisma.sql`
    WITH inside AS MATERIALIZED (SELECT count(*)::int AS n FROM (SELECT FROM ${source} ${first}) AS first_ones),
         earlier AS MATERIALIZED (SELECT count(*)::int AS n FROM (SELECT FROM ${all} AND ${earlier} ${first}) AS first_ones),
         later AS MATERIALIZED (SELECT count(*)::int AS n FROM (SELECT FROM ${all} AND ${later} ${first}) AS first_ones)
    SELECT CASE WHEN (SELECT n FROM inside) <= ${few} THEN (SELECT n FROM inside)
                WHEN (SELECT n FROM earlier) <= ${few} AND (SELECT n FROM later) <= ${few}
                  THEN counted.total - (SELECT n FROM earlier) - (SELECT n FROM later)
                ELSE (SELECT count(*)::int FROM ${source}) END AS total,
           counted.changes
    FROM (${countedTotal(table, filter)}) AS counted`;
}
