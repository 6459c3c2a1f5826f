import type { Database } from "../client.ts";

/** Entry of the request log. */
export interface ApiRequestEntry {
  /** UUID. The same entry can be recorded again if the connection was lost. */
  id: string;
  organizationId: string;
  /** When the request began, in ms since 1970. */
  requestedAt: number;
  method: string;
  /** Path template of the contract, for example `/api/v1/leads/{id}`. */
  route: string;
  statusCode: number;
  durationMs: number;
  /** Null for the Platform API, like user and grant. */
  clientId: string | null;
  userId: string | null;
  grantId: string | null;
  requestId: string;
  /** Null unless the response is an error. */
  errorCode: string | null;
  errorDescription: string | null;
}

/** Numbers of requests of an organization in a minute. */
export interface ApiRequestCounts {
  organizationId: string;
  /** Start of the minute, in ms since 1970. */
  minute: number;
  requests: number;
  /** Responses with a status of 400 or higher. */
  errors: number;
  /** Responses with status 429. */
  limited: number;
  /** Requests whose entry was not recorded. */
  dropped: number;
}

/**
 * Records entries of the request log, and adds counts, in one statement. Ignores unknown organizations, and entries that are already
 * recorded. The counts have no identity: if the connection is lost before the result arrives, a second call may add them twice.
 */
export async function recordRequests(
  db: Pick<Database, "$executeRaw">,
  entries: ApiRequestEntry[],
  counts: ApiRequestCounts[],
): Promise<void> {
  const organizations = [...new Set([...entries, ...counts].map(({ organizationId }) => organizationId))];
  // Locks come in the same order in every process, to prevent deadlocks. The lock of an organization makes its deletion wait, so that
  // no row is left.
  await db.$executeRaw`
    WITH known AS MATERIALIZED (
      SELECT id FROM organizations WHERE id = ANY (${organizations}::uuid[]) ORDER BY id FOR KEY SHARE
    ), logged AS (
      INSERT INTO api_requests (id, organization_id, requested_at, method, route, status_code, duration_ms, client_id, user_id, grant_id,
                                request_id, error_code, error_description)
      SELECT entry.id, "organizationId", to_timestamp("requestedAt" / 1000), method, route, "statusCode", "durationMs", "clientId", "userId",
             "grantId", "requestId", "errorCode", "errorDescription"
      FROM json_to_recordset(${JSON.stringify(entries)}::json) AS entry (
        id uuid, "organizationId" uuid, "requestedAt" float8, method text, route text, "statusCode" smallint, "durationMs" int,
        "clientId" text, "userId" uuid, "grantId" uuid, "requestId" text, "errorCode" text, "errorDescription" text)
      JOIN known ON known.id = "organizationId"
      ON CONFLICT DO NOTHING
    )
    INSERT INTO api_request_counts AS stored (organization_id, minute, requests, errors, limited, dropped)
    SELECT "organizationId", to_timestamp(minute / 1000), requests, errors, limited, dropped
    FROM json_to_recordset(${JSON.stringify(counts)}::json) AS counted (
      "organizationId" uuid, minute float8, requests int, errors int, limited int, dropped int)
    JOIN known ON known.id = "organizationId"
    ORDER BY 1, 2
    ON CONFLICT (organization_id, minute) DO UPDATE
      SET requests = stored.requests + excluded.requests, errors = stored.errors + excluded.errors,
          limited = stored.limited + excluded.limited, dropped = stored.dropped + excluded.dropped`;
}
