import { z } from "zod";

/** What a process needs to reach the database. */
export const databaseVariables = {
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .describe("PostgreSQL 18 or later, `postgresql://user:password@host:port/database`."),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe("Connections that one process opens at most."),
};
