export { canFillGap, countSkipped, isGapComplete } from "./backfill/gap.ts";
export {
  createRedelivery,
  mostUnfinished,
  previewRedelivery,
  type RedeliveryPreview,
  type RedeliveryRange,
} from "./backfill/redelivery.ts";
export { runBackfills, startBackfills } from "./backfill/run-backfills.ts";
export {
  attemptVariables,
  circuitPolicy,
  configuredSecretBox,
  deliveryVariables,
  noticesAreSigned,
  noticeVariables,
  sourceVariables,
  webhookVariables,
} from "./config.ts";
export type { AddressPolicy } from "./delivery/blocked-addresses.ts";
export { checkUrl } from "./delivery/check-url.ts";
export type { CircuitPolicy } from "./delivery/circuit-breaker.ts";
export { createHttpClient } from "./delivery/http-client.ts";
export { type SentTest, sampleEvent, sendTest, testBody } from "./delivery/send-test.ts";
export { FeedWaiters } from "./feed/feed-waiters.ts";
export { type EventFilter, type EventPage, type ListedEvent, listEvents } from "./feed/list-events.ts";
export {
  eventsRemovedBefore,
  type FeedPage,
  type FeedStart,
  findEventBody,
  readFeed,
} from "./feed/read-feed.ts";
export { limitPendingDeliveries } from "./limits/limit-pending-deliveries.ts";
export { limitSkippedEvents } from "./limits/limit-skipped-events.ts";
export { limitStoredEvents } from "./limits/limit-stored-events.ts";
export { attemptDetailsOf, attemptsOf, findDelivery, listDeliveries } from "./log/deliveries.ts";
export type { DeliveryRow } from "./log/delivery-rows.ts";
export {
  type DeliveryStatistics,
  type Durations,
  deliveryStatistics,
  type HourOfDeliveries,
} from "./log/delivery-statistics.ts";
export { bucketBounds, bucketColumns } from "./log/duration-buckets.ts";
export { deliveriesOfEvent } from "./log/event-deliveries.ts";
export { type Exchange, readExchange } from "./log/exchange.ts";
export { maintainDeliveryLog } from "./log/maintain-delivery-log.ts";
export {
  listOrganizationDeliveries,
  type OrganizationDeliveryFilter,
  type OrganizationDeliveryPage,
} from "./log/organization-deliveries.ts";
export { mostPendingCounted, redeliverEvent } from "./log/redeliver.ts";
export { removeOldEvents } from "./log/remove-old-events.ts";
export { keepVersion, readVersions, removeOldVersions, sentRequest } from "./log/sent-request.ts";
export { type SubscriptionQueueState, subscriptionQueues } from "./log/subscription-queues.ts";
export type { Logger } from "./logger.ts";
export { startNotices } from "./notices/send-notices.ts";
export { eventsChannel, notifyChanged, parseEventsNotification } from "./notifications.ts";
export type { NewEvent } from "./publish/event.ts";
export { mostOrdered, orderPending } from "./publish/ordering.ts";
export { type Change, createPublisher, type Publisher } from "./publish/publisher.ts";
export { everyType } from "./publish/routes.ts";
export { type Repeated, repeat } from "./repeat.ts";
export { createSecretBox, createSigningSecret, type SecretBox } from "./secret-box.ts";
export { decryptSecrets, signingSecrets } from "./signing-secret.ts";
export { conditionProblem, conditionsPath, normalizeConditions } from "./subscriptions/conditions.ts";
export {
  disableSubscriptionsCreatedBy,
  subscriptionsCreatedBy,
  type WebhookChoice,
} from "./subscriptions/created-by.ts";
export { changedHeaders, customHeadersProblem, storeHeaders } from "./subscriptions/custom-headers.ts";
export { lockSubscription } from "./subscriptions/lock-subscription.ts";
export { reencrypt } from "./subscriptions/reencrypt.ts";
export { resetCircuit, resumeSubscription } from "./subscriptions/resume.ts";
export {
  ensureSigningKey,
  publishedKeys,
  readSigningKeys,
  rotateSigningKey,
} from "./subscriptions/signing-keys.ts";
export { targetUrlProblem } from "./subscriptions/target-url.ts";
export { type DeliveryObserver, stepNames } from "./worker/options.ts";
export { releaseLocksOfLostClients } from "./worker/session.ts";
export { type DeliveryWorker, startWorker, type WorkerOptions } from "./worker/start-worker.ts";
