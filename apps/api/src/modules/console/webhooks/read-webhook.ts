import type { Database } from "@parley/database";
import type { Html } from "@parley/ui";
import {
  countSkipped,
  type DeliveryStatistics,
  type Durations,
  deliveryStatistics,
  type HourOfDeliveries,
  listOrganizationDeliveries,
  mostPendingCounted,
  type SubscriptionQueueState,
  subscriptionQueues,
} from "@parley/webhooks";
import { withLastAttempts } from "../../deliveries/service.ts";
import { publicKeysPath, type SubscriptionRow } from "../../webhooks/resource.ts";
import { findSubscription } from "../../webhooks/service.ts";
import type { ConsoleContext } from "../context.ts";
import type { Delivery } from "../deliveries/table.ts";
import { allHours, daySparkline, lastDay, outcomeChart } from "../statistics.ts";
import type { ListedWebhook } from "./list-page.ts";

/** Subscription with everything that its page shows. */
export interface Webhook {
  row: SubscriptionRow;
  queue: SubscriptionQueueState;
  /** Number of skipped events in its gap, at most `mostPendingCounted`. */
  skipped: number;
  /** Attempts of the last 24 hours. */
  hours: HourOfDeliveries[];
  chart: Html;
  /** Response times of the last 24 hours. */
  durations: Durations;
  deliveries: Delivery[];
  chatbotName: string | undefined;
  publicKeysUrl: string | undefined;
}

/** Returns the state of a subscription's queue; that of a new one if it was created after the states were read. */
function queueOf(queues: SubscriptionQueueState[], subscriptionId: string): SubscriptionQueueState {
  return (
    queues.find((queue) => queue.subscriptionId === subscriptionId) ?? {
      subscriptionId,
      pending: 0,
      oldestPendingAt: null,
      nextAttemptAt: null,
      circuitOpenUntil: null,
      lastDeliveryAt: null,
      lastAttempt: null,
    }
  );
}

/** Returns the subscriptions of an organization, latest first, with their states, and the statistics of their last 24 hours. */
export async function readWebhooks(
  db: Database,
  organizationId: string,
  now: Date,
): Promise<{ webhooks: ListedWebhook[]; statistics: DeliveryStatistics }> {
  const { from, until } = lastDay(now);
  const [rows, queues, statistics] = await Promise.all([
    db.subscription.findMany({ where: { organizationId }, orderBy: [{ createdAt: "desc" }, { id: "desc" }] }),
    subscriptionQueues(db, organizationId),
    deliveryStatistics(db, organizationId, { from, until }),
  ]);
  const days = new Map(statistics.subscriptions.map(({ subscriptionId, hours }) => [subscriptionId, hours]));
  const webhooks = rows.map((row) => ({
    row,
    queue: queueOf(queues, row.id),
    day: daySparkline(days.get(row.id) ?? [], from),
  }));
  return { webhooks, statistics };
}

/**
 * Returns a subscription with its queue and the number of skipped events in its gap.
 *
 * @throws ApiError 404 if the organization has no such subscription
 */
export async function readQueue(db: Database, organizationId: string, id: string) {
  const row = await findSubscription(db, organizationId, id);
  const [queues, skipped] = await Promise.all([
    subscriptionQueues(db, organizationId),
    countSkipped(db, row, mostPendingCounted),
  ]);
  return { row, queue: queueOf(queues, row.id), skipped };
}

/**
 * Returns a subscription with everything that its page shows.
 *
 * @throws ApiError 404 if the organization has no such subscription
 */
export async function readWebhook(
  { db, baseUrl }: ConsoleContext,
  organizationId: string,
  id: string,
  now: Date,
): Promise<Webhook> {
  const row = await findSubscription(db, organizationId, id);
  const { from, until } = lastDay(now);
  const filter = { organizationId, subscriptionId: row.id };
  const [{ queue, skipped }, statistics, { rows }, chatbot] = await Promise.all([
    readQueue(db, organizationId, id),
    deliveryStatistics(db, organizationId, { from, until, subscriptionId: row.id }),
    listOrganizationDeliveries(db, filter, { limit: 10 }),
    row.chatbotId === null ? null : db.chatbot.findFirst({ where: { id: row.chatbotId, organizationId } }),
  ]);
  const hours = allHours(statistics);
  return {
    row,
    queue,
    skipped,
    hours,
    chart: outcomeChart(hours, from),
    durations: { p50: statistics.p50, p95: statistics.p95 },
    deliveries: await withLastAttempts(db, organizationId, rows),
    chatbotName: chatbot?.name,
    publicKeysUrl: row.publicKeySignature ? baseUrl() + publicKeysPath(organizationId) : undefined,
  };
}
