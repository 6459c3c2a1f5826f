import { createHmac } from "node:crypto";

interface SignedDelivery {
  deliveryId: string;
  eventType: string;
  /** The exact text that is sent. */
  body: string;
}

/**
 * Returns the headers of a delivery: Parley's `X-Parley-…` headers and the `Webhook-…` headers of Standard Webhooks. The HMAC key
 * of both signatures is the whole secret in UTF-8.
 *
 * @param now milliseconds since 1970
 */
export function signedHeaders(delivery: SignedDelivery, secret: string, now: number): Record<string, string> {
  const { deliveryId, eventType, body } = delivery;
  const timestamp = String(Math.floor(now / 1000));
  return {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1",
    "x-parley-signature": `sha256=${hmac(secret, `${timestamp}.${body}`, "hex")}`,
    "x-parley-timestamp": timestamp,
    "x-parley-event": eventType,
    "x-parley-delivery": deliveryId,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac(secret, `${deliveryId}.${timestamp}.${body}`, "base64")}`,
  };
}

function hmac(secret: string, text: string, encoding: "hex" | "base64"): string {
  return createHmac("sha256", secret).update(text).digest(encoding);
}
