import { listApiRequests } from "@parley/database";
import type { Operations } from "../../../http/handlers.ts";
import type { ConsoleContext } from "../context.ts";
import { pageSize, startOfPage } from "../layout/cursor.ts";
import { timeRange } from "../layout/filters.ts";
import { renderForUser } from "../page-requests.ts";
import { requestsPage } from "./list-page.ts";

/** Returns the operation of the log of API requests. */
export function requestOperations(context: ConsoleContext): Operations<"showApiRequests"> {
  const { db } = context;
  return {
    showApiRequests: (request, reply) =>
      renderForUser(context, request, reply, async (session) => {
        const { query } = request;
        const { organizationId } = session.user;
        const { status, method, route, client_id: clientId, request_id: typedId } = query;
        const requestId = typedId?.trim();
        const { since, until } = timeRange(query);
        const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
        const range = { since: time(since), until: time(until) };
        const filter = { organizationId, status, method, route, clientId, requestId, ...range };
        const start = { limit: pageSize, after: startOfPage(query) };
        const [{ rows: requests, next }, clients] = await Promise.all([
          listApiRequests(db, filter, start),
          db.oAuthClient.findMany({
            where: { OR: [{ organizationId }, { grants: { some: { organizationId } } }] },
            select: { id: true, name: true },
            orderBy: { name: "asc" },
          }),
        ]);
        const clientNames = new Map(clients.map(({ id, name }) => [id, name]));
        return requestsPage(session, query, { requests, next, clientNames });
      }),
  };
}
