import type { Database } from "@parley/database";
import {
  deliveriesOfEvent,
  deliveryStatistics,
  listEvents,
  listOrganizationDeliveries,
  previewRedelivery,
  subscriptionQueues,
} from "@parley/webhooks";
import { commonType, type LargeOrganization, rareType } from "./seed-log.ts";

const hourMs = 3_600_000;
const limit = 50;

/** Returns what the console's pages read of an organization, by name. */
export function consoleReads(
  db: Database,
  { organizationId, subscriptionIds, eventId, recordId }: LargeOrganization,
): Record<string, () => Promise<unknown>> {
  const subscriptionId = subscriptionIds[1] ?? "";
  const now = Date.now();
  const hoursAgo = (hours: number) => new Date(now - hours * hourMs).toISOString();
  const statistics = (hours: number) => () =>
    deliveryStatistics(db, organizationId, { from: new Date(now - hours * hourMs), until: new Date(now) });
  const deliveries =
    (
      filter: Partial<Parameters<typeof listOrganizationDeliveries>[1]>,
      after?: { time: string; id: string },
    ) =>
    () =>
      listOrganizationDeliveries(db, { organizationId, ...filter }, { limit, after });
  const events =
    (filter: Partial<Parameters<typeof listEvents>[1]>, after?: { time: string; id: string }) => () =>
      listEvents(db, { organizationId, ...filter }, { limit, after });
  return {
    "statistics of a day": statistics(24),
    "statistics of 7 days": statistics(7 * 24),
    "statistics of 30 days": statistics(30 * 24),
    deliveries: deliveries({}),
    "deliveries, of one subscription": deliveries({ subscriptionId }),
    "deliveries, from the middle of the log": deliveries({}, { time: hoursAgo(15 * 24), id: eventId }),
    "deliveries, days 10 to 20": deliveries({ since: hoursAgo(20 * 24), until: hoursAgo(10 * 24) }),
    "deliveries, pending": deliveries({ status: "pending" }),
    "deliveries, retrying": deliveries({ status: "retrying" }),
    "deliveries, exhausted": deliveries({ status: "exhausted" }),
    "deliveries, common type": deliveries({ eventType: commonType }),
    "deliveries, rare type": deliveries({ eventType: rareType }),
    "deliveries, of an event": deliveries({ eventId }),
    "deliveries, of a record": deliveries({ recordId }),
    "all deliveries of an event": () => deliveriesOfEvent(db, organizationId, eventId),
    events: events({}),
    "events, from the middle": events({}, { time: hoursAgo(15 * 24), id: eventId }),
    "events, common type": events({ types: [commonType] }),
    "events, rare type": events({ types: [rareType] }),
    "events, of a record": events({ recordId }),
    "queues of subscriptions": () => subscriptionQueues(db, organizationId),
    "preview of a redelivery, a day": () =>
      previewRedelivery(db, {
        organizationId,
        subscriptionId,
        status: "exhausted",
        eventType: null,
        since: new Date(hoursAgo(24)),
        until: new Date(),
      }),
  };
}
