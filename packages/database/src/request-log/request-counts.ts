import type { Database } from "../client.ts";
import { Prisma } from "../generated/client.ts";

/** Numbers of requests in a minute. */
export interface RequestCountsOfMinute {
  minute: Date;
  requests: number;
  /** Responses with a status of 400 or higher. */
  errors: number;
  /** Responses with status 429. */
  limited: number;
  /** Requests that are missing in the log. */
  dropped: number;
}

/** Returns the counts of an organization for the minutes from `from` to before `until` that have requests, oldest first. */
export async function requestCounts(
  db: Pick<Database, "select">,
  organizationId: string,
  from: Date,
  until: Date,
): Promise<RequestCountsOfMinute[]> {
  return db.select(Prisma.sql`
    SELECT minute, requests, errors, limited, dropped FROM api_request_counts
    WHERE organization_id = ${organizationId}::uuid AND minute >= ${from} AND minute < ${until}
    ORDER BY minute`);
}
