import type { EventType } from "@parley/contract";
import type { Database, DeliveryAttempt, Subscription } from "@parley/database";
import {
  type Change,
  type DeliveryRow,
  decryptSecrets,
  everyType,
  readSigningKeys,
  type SecretBox,
  type SentTest,
  sendTest,
} from "@parley/webhooks";
import type { Dispatcher } from "undici";
import { notFound } from "../../http/api-error.ts";

/** Dependencies for sending tests. */
export interface TestOptions {
  db: Database;
  secretBox: SecretBox;
  client: Dispatcher;
  /** Timeout of a test delivery in milliseconds. */
  timeoutMs: number;
}

/** Sends a test to a subscription, outside of a transaction, so that no open transaction waits for a receiver. */
export async function sendTestTo(
  { db, secretBox, client, timeoutMs }: TestOptions,
  row: Subscription,
  requestedType: EventType | undefined,
): Promise<SentTest> {
  const now = await databaseTime(db);
  const signingKeys = row.publicKeySignature ? await readSigningKeys(db, row.organizationId) : [];
  const secrets = decryptSecrets({ ...row, signingKeys }, secretBox, now.getTime());
  const eventType = testEventType(row, requestedType);
  return sendTest(client, { url: row.targetUrl, secrets, eventType, now, timeoutMs });
}

/** Delivery with its last attempt. */
interface AttemptedDelivery {
  delivery: DeliveryRow;
  attempt: DeliveryAttempt;
}

/** Returns the event type of a test: the requested type, or by default the first type that the subscription receives. */
function testEventType(
  { eventTypes: subscribed }: Subscription,
  requested: EventType | undefined,
): EventType {
  const [first] = subscribed;
  return requested ?? (first === everyType ? "lead.created" : (first as EventType));
}

/**
 * Returns the time of the database's clock. Secret rotation and the delivery log use this clock, because the clocks of
 * machines may differ.
 */
async function databaseTime(db: Pick<Database, "$queryRaw">): Promise<Date> {
  const [row] = await db.$queryRaw<
    { now: Date }[]
  >`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  if (!row) throw new Error("the database returned no time");
  return row.now;
}

/**
 * Records a test delivery that was sent. A test has only one attempt, so a failed test is `exhausted`.
 *
 * @throws ApiError 404 if the subscription was deleted in the meantime
 */
export async function recordTest(
  { tx, organizationId }: Change,
  { id: subscriptionId, version }: Subscription,
  { deliveryId, eventId, eventType, attemptedAt, result, exchange }: SentTest,
): Promise<AttemptedDelivery> {
  // The lock prevents the deletion of the subscription before the commit, so that nothing is logged for a deleted
  // organization.
  const kept = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 FROM subscriptions WHERE id = ${subscriptionId}::uuid FOR KEY SHARE`;
  if (kept.length === 0) throw notFound("webhook subscription");
  const status = result.delivered ? "delivered" : "exhausted";
  const attempt = await tx.deliveryAttempt.create({
    data: {
      deliveryId,
      attempt: 1,
      attemptedAt,
      organizationId,
      subscriptionId,
      eventId,
      eventType,
      outcome: status,
      test: true,
      durationMs: result.durationMs,
      statusCode: result.statusCode,
      error: result.error,
      responseBody: result.responseBody,
      version: exchange === null ? null : version,
      exchange,
    },
  });
  const ids = { id: deliveryId, organizationId, subscriptionId, eventId };
  const times = { nextAt: null, createdAt: attemptedAt, at: attemptedAt };
  return {
    delivery: { ...ids, eventType, test: true, redelivery: false, status, attempts: 1, ...times },
    attempt,
  };
}
