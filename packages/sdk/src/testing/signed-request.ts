import type { WebhookEvent } from "../webhooks/event.ts";
import { hmac } from "../webhooks/hmac.ts";
import { stablePayload, textOf, type WebhookPayload } from "../webhooks/payload.ts";
import { signWebhook, type WebhookSignatureHeaders } from "../webhooks/sign.ts";

/** Options of {@link webhookRequest} and {@link webhookHeaders}. */
export interface WebhookRequestOptions {
  /** Signing secret that your receiver expects. */
  readonly secret: string;
  /** ID of the delivery. Default: a random UUID. */
  readonly deliveryId?: string | undefined;
  /** Function that returns the current time in milliseconds since 1970, which is signed. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns the headers of a delivery as Parley sends them: `X-Parley-…`, and `Webhook-…` of Standard Webhooks, with both
 * signatures.
 *
 * @param payload - event, or the raw body that is sent
 * @throws TypeError if the secret is empty
 *
 * @example
 * const body = JSON.stringify(webhookEvent("lead.created"));
 * const signed = await webhookHeaders(body, { secret });
 * await app.request("/hook", { method: "POST", headers: signed, body });
 */
export async function webhookHeaders(
  payload: WebhookEvent | WebhookPayload,
  options: WebhookRequestOptions,
): Promise<WebhookSignatureHeaders> {
  const { secret, deliveryId = crypto.randomUUID(), now = Date.now } = options;
  if (!secret) throw new TypeError("secret is required.");
  const body = bodyOf(payload);
  const timestamp = Math.floor(now() / 1000);
  const standard = await hmac(secret, `${deliveryId}.${timestamp}`, body, "base64");
  return {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1",
    ...(await signWebhook({ payload: body, secret, timestamp })),
    "x-parley-event": typeOf(body),
    "x-parley-delivery": deliveryId,
    "webhook-id": deliveryId,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": `v1,${standard}`,
  };
}

/**
 * Returns the signed request of a delivery, for receivers that take a Fetch API `Request`.
 *
 * @param url - URL of the request
 * @param payload - event, or the raw body that is sent
 * @throws TypeError if the URL is invalid
 *
 * @example
 * const receive = receiveWebhooks({ secret, on: {} });
 * const delivery = await webhookRequest("https://app.example.com/hook", webhookEvent("lead.created"), { secret });
 * console.log((await receive(delivery)).status); // 204
 */
export async function webhookRequest(
  url: string | URL,
  payload: WebhookEvent | WebhookPayload,
  options: WebhookRequestOptions,
): Promise<Request> {
  const body = bodyOf(payload);
  return new Request(url, {
    method: "POST",
    headers: await webhookHeaders(body, options),
    body: body as BodyInit,
  });
}

/** Returns the body of a delivery: an event as JSON, or the given body. */
function bodyOf(payload: WebhookEvent | WebhookPayload): string | Uint8Array {
  const isEvent = typeof payload === "object" && "type" in payload;
  return stablePayload(isEvent ? JSON.stringify(payload) : payload);
}

/** Returns the type of the event in a body; empty if the body is not an event, so that tests can send any body. */
function typeOf(body: string | Uint8Array): string {
  try {
    return String(JSON.parse(textOf(body)).type ?? "");
  } catch {
    return "";
  }
}
