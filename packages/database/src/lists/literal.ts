import { Prisma } from "../generated/client.ts";

/**
 * Returns an integer as text of the statement, for LIMIT. A prepared statement that runs often gets one plan for all values of its
 * parameters, and PostgreSQL plans a limit that is a parameter for a tenth of the table.
 */
export function literal(value: number): Prisma.Sql {
  return Prisma.raw(String(Math.trunc(value)));
}
