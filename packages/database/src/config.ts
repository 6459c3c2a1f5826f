import { integer } from "@parley/config";
import { z } from "zod";
import { tlsParametersProblem } from "./tls-parameters.ts";

const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: "must be a URL that begins with postgresql://", abort: true })
  .superRefine((url, context) => {
    const problem = tlsParametersProblem(url);
    if (problem !== undefined) context.addIssue(problem);
  });

/** Variables of every process that connects to the database. */
export const databaseVariables = {
  DATABASE_URL: postgresUrl.meta({
    description:
      "URL of a PostgreSQL database, version 18 or later: `postgresql://user:password@host:port/database`. To use TLS, add `?sslmode=verify-full`.",
    example: "postgresql://parley:password@127.0.0.1:5432/parley",
    secret: true,
  }),
  DATABASE_DIRECT_URL: postgresUrl.optional().meta({
    description:
      "URL of the same database without the connection pooler. Required if `DATABASE_URL` leads to a pooler in transaction mode, such as PgBouncer: notifications, the locks of workers, jobs and migrations need a connection that stays the same. Default: `DATABASE_URL`, without a pooler.",
    example: "postgresql://parley:password@10.0.0.10:5432/parley",
    secret: true,
  }),
  DATABASE_POOL_SIZE: integer(1, 100)
    .default(10)
    .describe(
      "Maximum number of pooled connections of one process. The process opens a few more for notifications and jobs.",
    ),
};

/** How to connect to the database. */
export interface DatabaseAddress {
  /** For statements and transactions. */
  url: string;
  /** For notifications, session locks, jobs and migrations. */
  directUrl: string;
  /** Whether `url` leads to a connection pooler, which may run each transaction on another connection. */
  pooler: boolean;
}

/** Returns how the configuration connects to the database. */
export function databaseAddress({
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: directUrl,
}: {
  DATABASE_URL: string;
  DATABASE_DIRECT_URL?: string | undefined;
}): DatabaseAddress {
  return { url, directUrl: directUrl ?? url, pooler: directUrl !== undefined };
}

/** Variables of the API and the worker about the log of API requests. */
export const requestLogVariables = {
  REQUEST_LOG_DAYS: integer(0, 3_650)
    .default(7)
    .describe(
      "Retention of the log of API requests, and of their counts, in days. 0 switches the log off; requests are still counted, and the counts are kept for 7 days.",
    ),
};
