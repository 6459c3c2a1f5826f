import { type Plan, requestsPerMinute } from "@parley/contract";
import { requestCounts } from "@parley/database";
import { listEvents } from "@parley/webhooks";
import type { Operations } from "../../../http/handlers.ts";
import type { ConsoleContext } from "../context.ts";
import { renderForUser } from "../page-requests.ts";
import { readWebhooks } from "../webhooks/read-webhook.ts";
import { overviewPage } from "./overview-page.ts";

/** Returns the operation of the overview. */
export function overviewOperations(context: ConsoleContext): Operations<"showOverview"> {
  const { db, clock } = context;
  return {
    showOverview: (request, reply) =>
      renderForUser(context, request, reply, async (session) => {
        const { organizationId, plan } = session.user;
        const now = new Date(clock());
        const [{ webhooks, statistics }, { events }, minutes] = await Promise.all([
          readWebhooks(db, organizationId, now),
          listEvents(db, { organizationId }, { limit: 5 }),
          requestCounts(db, organizationId, new Date(now.getTime() - 3_600_000), now),
        ]);
        const limit = requestsPerMinute[plan as Plan];
        return overviewPage(session, { webhooks, statistics, events, minutes, limit }, now);
      }),
  };
}
