import type { Database, Subscription } from "@parley/database";
import type { Html } from "@parley/ui";
import {
  type Durations,
  deliveryStatistics,
  listOrganizationDeliveries,
  type QueueState,
  subscriptionQueues,
} from "@parley/webhooks";
import { withLastAttempts } from "../../deliveries/service.ts";
import { publicKeysPath } from "../../webhooks/resource.ts";
import { findSubscription } from "../../webhooks/service.ts";
import type { ConsoleContext } from "../context.ts";
import type { Delivery } from "../deliveries/table.ts";
import { allHours, lastDay, outcomeChart, type SubscriptionDay, subscriptionDay } from "../statistics.ts";
import type { ListedWebhook } from "./list-page.ts";

/** Subscription with everything that its page shows. */
export interface Webhook extends ListedWebhook {
  chart: Html;
  /** Response times of the last 24 hours. */
  durations: Durations;
  deliveries: Delivery[];
  chatbotName: string | undefined;
  publicKeysUrl: string | undefined;
}

/** State of a subscription that was created after its state was read. */
const newQueue: QueueState = {
  pending: 0,
  oldestPendingAt: null,
  nextAttemptAt: null,
  circuitOpenUntil: null,
  lastDeliveryAt: null,
  lastAttempt: null,
};

/** Returns the subscriptions of an organization, latest first, with their states and their last 24 hours. */
export async function readWebhooks(
  db: Database,
  organizationId: string,
  now: Date,
): Promise<ListedWebhook[]> {
  const { from, until } = lastDay(now);
  const [rows, queues, statistics] = await Promise.all([
    db.subscription.findMany({ where: { organizationId }, orderBy: [{ createdAt: "desc" }, { id: "desc" }] }),
    subscriptionQueues(db, organizationId),
    deliveryStatistics(db, organizationId, { from, until }),
  ]);
  const days = new Map(statistics.subscriptions.map(({ subscriptionId, hours }) => [subscriptionId, hours]));
  return rows.map((row) => ({
    row,
    queue: queues.get(row.id) ?? newQueue,
    day: subscriptionDay(days.get(row.id) ?? [], from),
  }));
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
  const [queues, statistics, { rows }, chatbot] = await Promise.all([
    subscriptionQueues(db, organizationId, row.id),
    deliveryStatistics(db, organizationId, { from, until, subscriptionId: row.id }),
    listOrganizationDeliveries(db, filter, { limit: 10 }),
    row.chatbotId === null ? null : db.chatbot.findFirst({ where: { id: row.chatbotId, organizationId } }),
  ]);
  const hours = allHours(statistics);
  const day: SubscriptionDay = subscriptionDay(hours, from);
  return {
    row,
    queue: queues.get(row.id) ?? newQueue,
    day,
    chart: outcomeChart(hours, from),
    durations: { p50: statistics.p50, p95: statistics.p95 },
    deliveries: await withLastAttempts(db, organizationId, rows),
    chatbotName: chatbot?.name,
    publicKeysUrl: row.publicKeySignature ? baseUrl() + publicKeysPath(organizationId) : undefined,
  };
}

/** Returns the target URLs of an organization's subscriptions by ID. */
export async function readTargetUrls(db: Database, organizationId: string): Promise<Map<string, string>> {
  const rows: Pick<Subscription, "id" | "targetUrl">[] = await db.subscription.findMany({
    where: { organizationId },
    select: { id: true, targetUrl: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return new Map(rows.map(({ id, targetUrl }) => [id, targetUrl]));
}
