import { description, type EventType, type Schemas } from "@parley/contract";
import type { Dispatcher } from "undici";
import { v7 as uuidv7 } from "uuid";
import { storedExchange } from "../log/exchange.ts";
import { envelope } from "../publish/event.ts";
import { keyAt } from "../signing-key.ts";
import { type Secrets, unreadableReason } from "../signing-secret.ts";
import { type AttemptResult, attempt, notSent } from "./attempt.ts";
import { deliveryHeaders, sign } from "./sign.ts";

/** Test delivery that was sent, with its result. */
export interface SentTest {
  deliveryId: string;
  eventId: string;
  eventType: EventType;
  attemptedAt: Date;
  result: AttemptResult;
  /** Text of `storedExchange`; null if nothing was sent. */
  exchange: string | null;
}

/** Returns a sample event of a type, which is the example in the contract. */
export function sampleEvent(type: EventType): Schemas["WebhookEvent"] {
  return description.webhooks[type].post.requestBody.content["application/json"]
    .example as Schemas["WebhookEvent"];
}

/**
 * Sends a sample event, signed like every delivery, with `"test": true` in its body. Never throws.
 *
 * @param test.secrets null if they cannot be decrypted. Then nothing is sent, and the result contains the reason
 * @param test.timeoutMs timeout of the attempt
 */
export async function sendTest(
  client: Dispatcher,
  test: { url: string; secrets: Secrets | null; eventType: EventType; now: Date; timeoutMs: number },
): Promise<SentTest> {
  const { url, secrets, eventType, now: attemptedAt, timeoutMs } = test;
  const msecs = attemptedAt.getTime();
  const [deliveryId, eventId] = [uuidv7({ msecs }), uuidv7({ msecs })];
  const sent = { deliveryId, eventId, eventType, attemptedAt, exchange: null };
  if (secrets === null) return { ...sent, result: notSent(unreadableReason) };
  if (!URL.canParse(url)) return { ...sent, result: notSent("the target URL is not valid") };
  const signed = { deliveryId, eventType, body: testBody(eventId, eventType, attemptedAt) };
  const signatures = sign(signed, secrets.now, msecs, keyAt(secrets.signingKeys, msecs));
  const headers = { ...secrets.headers, ...deliveryHeaders(signed, signatures, msecs) };
  const result = await attempt(client, { url, headers, body: signed.body, timeoutMs });
  return { ...sent, result, exchange: storedExchange(signatures, result) };
}

/** Returns the body of a test delivery. It is not stored, because it can be derived from the log. */
export function testBody(eventId: string, eventType: EventType, attemptedAt: Date): string {
  const { data, ...rest } = sampleEvent(eventType);
  return JSON.stringify({ ...rest, ...envelope(eventId, eventType, attemptedAt), test: true, data });
}
