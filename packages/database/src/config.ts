import { integer } from "@parley/config";
import { z } from "zod";

/** What a process needs to reach the database. */
export const databaseVariables = {
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a URL that begins with postgresql://" })
    .meta({
      description: "PostgreSQL 18 or later, `postgresql://user:password@host:port/database`.",
      example: "postgresql://parley:password@127.0.0.1:5432/parley",
      secret: true,
    }),
  DATABASE_POOL_SIZE: integer(1, 100)
    .default(10)
    .describe("Connections that one process opens at most; a few beside them only listen."),
};
