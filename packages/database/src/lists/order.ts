import { Prisma } from "../generated/client.ts";
import type { RecordRows } from "../record-rows.ts";

export type RecordSort = "-updated_at" | "updated_at" | "-created_at" | "created_at";

/** Place in an ordered list: the record with this time and ID. */
export interface Position {
  /** RFC 3339. */
  time: string;
  id: string;
}

/** Order of a list, as SQL. */
export interface Order {
  /** The ORDER BY list. */
  forward: Prisma.Sql;
  /** The ORDER BY list of the opposite order. */
  backward: Prisma.Sql;
  /** Condition: the record comes after the position. */
  after: (position: Position) => Prisma.Sql;
}

/** Name of the column that has the time of creation. */
export function createdColumn(table: keyof RecordRows): string {
  return table === "conversations" ? "started_at" : "created_at";
}

/** Returns the order by a column with times, then by `id`. */
export function orderBy(column: string, descending: boolean): Order {
  const list = (direction: string) => Prisma.raw(`${column} ${direction}, id ${direction}`);
  const comparison = Prisma.raw(`(${column}, id) ${descending ? "<" : ">"}`);
  return {
    forward: list(descending ? "DESC" : "ASC"),
    backward: list(descending ? "ASC" : "DESC"),
    after: ({ time, id }) => Prisma.sql`${comparison} (${time}::timestamptz, ${id}::uuid)`,
  };
}

/** Returns the order of a list of records. */
export function orderOf(table: keyof RecordRows, sort: RecordSort): Order {
  const column = sort.endsWith("created_at") ? createdColumn(table) : "updated_at";
  return orderBy(column, sort.startsWith("-"));
}
