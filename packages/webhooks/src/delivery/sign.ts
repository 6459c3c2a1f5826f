import { createHmac, type KeyObject, sign as signWithKey } from "node:crypto";

/** The exact text that is sent, or its UTF-8. */
export type Body = string | Buffer;

interface SignedDelivery {
  deliveryId: string;
  eventType: string;
  body: Body;
  /** Whether an earlier delivery of the event was finished. */
  redelivery?: boolean;
}

/** Signatures of an attempt, as in its headers: `X-Parley-Signature` and `webhook-signature`. */
export type Signatures = [parley: string, standard: string];

/**
 * Signs an attempt. The HMAC key of both signatures is the whole secret in UTF-8. With a private key, the standard one is followed by its
 * Ed25519 signature.
 *
 * @param now milliseconds since 1970
 */
export function sign(
  { deliveryId, body }: SignedDelivery,
  secret: string,
  now: number,
  privateKey?: KeyObject,
): Signatures {
  const timestamp = timestampOf(now);
  const start = `${deliveryId}.${timestamp}.`;
  const standard = `v1,${hmac(secret, start, body, "base64")}`;
  return [
    `sha256=${hmac(secret, `${timestamp}.`, body, "hex")}`,
    privateKey ? `${standard} v1a,${ed25519(privateKey, start, body)}` : standard,
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

function hmac(secret: string, start: string, body: Body, encoding: "hex" | "base64"): string {
  return createHmac("sha256", secret).update(start).update(body).digest(encoding);
}

/** Returns the signature in base64. Ed25519 has no separate hash function, RFC 8032 section 5.1. */
function ed25519(privateKey: KeyObject, start: string, body: Body): string {
  const content = Buffer.concat([Buffer.from(start), Buffer.from(body)]);
  return signWithKey(null, content, privateKey).toString("base64");
}
