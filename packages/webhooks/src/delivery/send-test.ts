import { description, type EventType, type Schemas } from "@parley/contract";
import type { Dispatcher } from "undici";
import { v7 as uuidv7 } from "uuid";
import { envelope } from "../publish/event.ts";
import { unreadableReason } from "../signing-secret.ts";
import { type AttemptResult, attempt, notSent } from "./attempt.ts";
import { signedHeaders } from "./sign.ts";

/** Test delivery that was sent, with its result. */
export interface SentTest {
  deliveryId: string;
  eventId: string;
  eventType: EventType;
  attemptedAt: Date;
  result: AttemptResult;
}

/** Returns a sample event of a type, which is the example in the contract. */
export function sampleEvent(type: EventType): Schemas["WebhookEvent"] {
  return description.webhooks[type].post.requestBody.content["application/json"]
    .example as Schemas["WebhookEvent"];
}

/**
 * Sends a sample event, signed like every delivery, with `"test": true` in its body. Never throws.
 *
 * @param test.secret null if the secret cannot be decrypted. Then nothing is sent, and the result contains the reason
 * @param test.timeoutMs timeout of the attempt
 */
export async function sendTest(
  client: Dispatcher,
  test: { url: string; secret: string | null; eventType: EventType; now: Date; timeoutMs: number },
): Promise<SentTest> {
  const { url, secret, eventType, now: attemptedAt, timeoutMs } = test;
  const msecs = attemptedAt.getTime();
  const [deliveryId, eventId] = [uuidv7({ msecs }), uuidv7({ msecs })];
  const sent = { deliveryId, eventId, eventType, attemptedAt };
  if (secret === null) return { ...sent, result: notSent(unreadableReason) };
  const { data, ...rest } = sampleEvent(eventType);
  const body = JSON.stringify({ ...rest, ...envelope(eventId, eventType, attemptedAt), test: true, data });
  const headers = signedHeaders({ deliveryId, eventType, body }, secret, msecs);
  if (!URL.canParse(url)) return { ...sent, result: notSent("the target URL is not valid") };
  const result = await attempt(client, { url, headers, body, timeoutMs });
  return { ...sent, result };
}
