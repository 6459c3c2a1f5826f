import { createHmac } from "node:crypto";

interface SignedDelivery {
  deliveryId: string;
  eventType: string;
  /** The exact text that is sent. */
  body: string;
  /** Whether an earlier delivery of the event was finished. */
  redelivery?: boolean;
}

/** Signatures of an attempt, as in its headers: `X-Parley-Signature` and `webhook-signature`. */
export type Signatures = [parley: string, standard: string];

/**
 * Signs an attempt. The HMAC key of both signatures is the whole secret in UTF-8.
 *
 * @param now milliseconds since 1970
 */
export function sign({ deliveryId, body }: SignedDelivery, secret: string, now: number): Signatures {
  const timestamp = timestampOf(now);
  return [
    `sha256=${hmac(secret, `${timestamp}.${body}`, "hex")}`,
    `v1,${hmac(secret, `${deliveryId}.${timestamp}.${body}`, "base64")}`,
  ];
}

/**
 * Returns the headers of an attempt: Parley's `X-Parley-…` headers and the `webhook-…` headers of Standard Webhooks.
 *
 * @param now milliseconds since 1970
 */
export function deliveryHeaders(
  { deliveryId, eventType, redelivery }: Omit<SignedDelivery, "body">,
  [parley, standard]: Signatures,
  now: number,
): Record<string, string> {
  const timestamp = timestampOf(now);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1",
    "x-parley-signature": parley,
    "x-parley-timestamp": timestamp,
    "x-parley-event": eventType,
    "x-parley-delivery": deliveryId,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": standard,
  };
  if (redelivery) headers["x-parley-redelivery"] = "true";
  return headers;
}

/** Signs a delivery and returns the headers of the attempt. */
export function signedHeaders(delivery: SignedDelivery, secret: string, now: number): Record<string, string> {
  return deliveryHeaders(delivery, sign(delivery, secret, now), now);
}

/** Returns Unix time in seconds. */
function timestampOf(now: number): string {
  return String(Math.floor(now / 1000));
}

function hmac(secret: string, text: string, encoding: "hex" | "base64"): string {
  return createHmac("sha256", secret).update(text).digest(encoding);
}
