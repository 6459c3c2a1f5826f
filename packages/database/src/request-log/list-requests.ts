import type { Database } from "../client.ts";
import { Prisma } from "../generated/client.ts";
import { literal } from "../lists/literal.ts";
import type { Position } from "../lists/order.ts";
import type { ApiRequestEntry } from "./record-requests.ts";

/** Maximum number of requests that a page searches for matches. */
const mostSearched = 10_000;

/** Conditions for the status of a response. */
const statusConditions = {
  errors: Prisma.sql`status_code >= 400`,
  "2xx": Prisma.sql`status_code BETWEEN 200 AND 299`,
  "4xx": Prisma.sql`status_code BETWEEN 400 AND 499`,
  "5xx": Prisma.sql`status_code BETWEEN 500 AND 599`,
  "429": Prisma.sql`status_code = 429`,
};

export type ApiRequestStatus = keyof typeof statusConditions;

export interface ApiRequestFilter {
  organizationId: string;
  /** Null for requests of the Platform API. */
  clientId?: string | null | undefined;
  method?: string | undefined;
  /** Path template of the contract, for example `/api/v1/leads/{id}`. */
  route?: string | undefined;
  /** `errors` are 4xx and 5xx. */
  status?: ApiRequestStatus | undefined;
  requestId?: string | undefined;
  /** Only requests that began at or after this time. */
  since?: Date | undefined;
  /** Only requests that began before this time. */
  until?: Date | undefined;
}

/** Entry as it is stored. The description has at most 300 characters, with `…` for what the caller sent. */
export interface LoggedRequest extends Omit<ApiRequestEntry, "organizationId" | "requestedAt"> {
  /** When the request began. */
  requestedAt: Date;
}

interface ApiRequestPage {
  rows: LoggedRequest[];
  /** Whether older requests may match. */
  hasMore: boolean;
  /** Where the next page begins; null without one. */
  next: Position | null;
}

/**
 * Returns the requests of an organization that match, newest first. A call searches a limited number of requests. If it stops there, the
 * page has fewer rows than `limit`, or none, and `hasMore` is true.
 *
 * @param page.after `next` of the previous page
 */
export async function listApiRequests(
  db: Pick<Database, "select">,
  filter: ApiRequestFilter,
  { limit, after }: { limit: number; after?: Position | undefined },
): Promise<ApiRequestPage> {
  const most = literal(mostSearched);
  const found = await db.select<LoggedRequest & { matches: boolean; searched: number }>(Prisma.sql`
    SELECT * FROM (
      SELECT id, requested_at AS "requestedAt", method, route, status_code AS "statusCode", duration_ms AS "durationMs", client_id AS "clientId",
             user_id AS "userId", grant_id AS "grantId", request_id AS "requestId", error_code AS "errorCode",
             error_description AS "errorDescription", ${matchCondition(filter)} AS matches,
             row_number() OVER (ORDER BY requested_at DESC, id DESC)::int AS searched
      FROM api_requests WHERE ${searchCondition(filter, after)}
      ORDER BY requested_at DESC, id DESC LIMIT ${most}
    ) AS request
    WHERE matches OR searched = ${most}
    ORDER BY "requestedAt" DESC, id DESC LIMIT ${limit + 1}`);
  const stopped = found.find(({ searched }) => searched === mostSearched);
  const rows = found.filter(({ matches }) => matches).slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : stopped;
  return {
    rows: rows.map(({ matches: _matches, searched: _searched, ...row }) => row),
    hasMore: last !== undefined,
    next: last ? { time: last.requestedAt.toISOString(), id: last.id } : null,
  };
}

/** Returns the conditions that an index meets, so that they limit what is searched. */
function searchCondition(filter: ApiRequestFilter, after: Position | undefined): Prisma.Sql {
  const { organizationId, status, requestId, since, until } = filter;
  const conditions = [Prisma.sql`organization_id = ${organizationId}::uuid`];
  if (requestId !== undefined) conditions.push(Prisma.sql`request_id = ${requestId}`);
  if (status !== undefined && status !== "2xx") conditions.push(statusConditions.errors);
  if (since) conditions.push(Prisma.sql`requested_at >= ${since}`);
  if (until) conditions.push(Prisma.sql`requested_at < ${until}`);
  if (after) {
    conditions.push(Prisma.sql`(requested_at, id) < (${after.time}::timestamptz, ${after.id}::uuid)`);
  }
  return Prisma.join(conditions, " AND ");
}

function matchCondition({ clientId, method, route, status }: ApiRequestFilter): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (clientId !== undefined) conditions.push(Prisma.sql`client_id IS NOT DISTINCT FROM ${clientId}::text`);
  if (method !== undefined) conditions.push(Prisma.sql`method = ${method}`);
  if (route !== undefined) conditions.push(Prisma.sql`route = ${route}`);
  if (status !== undefined) conditions.push(statusConditions[status]);
  return Prisma.join(conditions, " AND ");
}
