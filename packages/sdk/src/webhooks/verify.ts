import { type WebhookVerificationCode, WebhookVerificationError } from "./error.ts";
import type { WebhookEvent } from "./event.ts";
import { headerOf, readHeader, signatureHeader, timestampHeader, type WebhookHeaders } from "./headers.ts";
import { fingerprint, hmac } from "./hmac.ts";
import { parseEvent, stablePayload, textOf, type WebhookPayload } from "./payload.ts";
import { checkTimestamp } from "./timestamp.ts";

/**
 * Options of {@link verifyWebhook}.
 *
 * @example
 * const secrets = [secret, process.env.NEW_PARLEY_WEBHOOK_SECRET ?? ""];
 * const event = await verifyWebhook({ payload, headers, secret: secrets, tolerance: 60 });
 */
export interface VerifyWebhookOptions {
  /** Raw body. If the body was parsed and serialized again, the signature does not match. */
  readonly payload: WebhookPayload;
  /** Headers of the delivery: `Headers` or a plain object. Names are case-insensitive. */
  readonly headers: WebhookHeaders;
  /**
   * Signing secret of the subscription. During a rotation, pass an array of secrets, of which one must match. Empty
   * secrets are ignored.
   */
  readonly secret: string | readonly string[];
  /** Accepted difference between timestamp and clock in either direction, in seconds. Default: 300. */
  readonly tolerance?: number | undefined;
  /** Function that returns the current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Verified delivery, returned by {@link verifyWebhookDelivery}. */
export interface VerifiedDelivery {
  /** Event of the delivery. */
  readonly event: WebhookEvent;
  /**
   * ID of the delivery, which every retry has, if it is signed. Undefined without `webhook-signature`: then another ID in the headers can be
   * forged. Parley always sends this header.
   */
  readonly id: string | undefined;
}

/**
 * Verifies a webhook delivery and returns its event. It compares the signature in constant time, and rejects a delivery
 * without a timestamp or with a timestamp that differs from the clock by more than `tolerance`. If there is a `webhook-signature`, it must match
 * too.
 *
 * @throws {@link WebhookVerificationError} if the delivery is rejected or an option is invalid. `code` is the reason
 *
 * @example
 * const event = await verifyWebhook({ payload, headers, secret });
 * if (event.type === "lead.created") console.log(event.data.attributes.contact.email);
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  return (await verifyWebhookDelivery(options)).event;
}

/**
 * Like {@link verifyWebhook}, but also returns the ID of the delivery, so that you can skip deliveries that you handled.
 *
 * @throws {@link WebhookVerificationError} if the delivery is rejected or an option is invalid. `code` is the reason
 *
 * @example
 * const { event, id } = await verifyWebhookDelivery({ payload, headers, secret });
 * console.log(id ?? "the ID is not signed", event.type);
 */
export async function verifyWebhookDelivery(options: VerifyWebhookOptions): Promise<VerifiedDelivery> {
  try {
    const { headers, tolerance = 300, now = Date.now } = options;
    const payload = stablePayload(options.payload);
    const signature = readHeader(headers, signatureHeader, /^sha256=[0-9a-f]{64}$/i, "malformed_signature");
    const timestamp = readHeader(headers, timestampHeader, /^\d{1,12}$/, "malformed_timestamp");
    checkTimestamp(timestamp, Math.floor(now() / 1000), tolerance);
    // With an empty secret, anyone could sign a delivery.
    const secrets = [options.secret].flat().filter((secret) => secret?.trim?.());
    if (!secrets[0]) throw new WebhookVerificationError("missing_secret", "Empty secret");
    const digits = signature.slice(7).toLowerCase();
    if (!(await isSigned(secrets, timestamp, payload, "hex", [digits])))
      throw await mismatch(payload, digits, timestamp, secrets);
    const standard = headerOf(headers, standardHeader);
    const id = standard ? readHeader(headers, "webhook-id", /^[\w-]+$/, "malformed_signature") : undefined;
    if (id && !(await isSigned(secrets, `${id}.${timestamp}`, payload, "base64", standard.split(/[ ,]/))))
      throw new WebhookVerificationError("signature_mismatch", "webhook-id was changed", standardHeader);
    return { event: parseEvent(payload), id };
  } catch (error) {
    throw error instanceof WebhookVerificationError
      ? error
      : new WebhookVerificationError("malformed_payload", String(error));
  }
}

const standardHeader = "webhook-signature";

/** Checks whether one of the signatures was made with one of the secrets, in constant time for each pair. */
async function isSigned(
  secrets: readonly string[],
  start: string,
  body: string | Uint8Array,
  encoding: "hex" | "base64",
  signatures: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const digest = await hmac(secret, start, body, encoding);
    for (const signature of signatures) {
      let difference = digest.length ^ signature.length;
      for (let index = digest.length; index--; )
        difference |= digest.charCodeAt(index) ^ signature.charCodeAt(index);
      if (!difference) return true;
    }
  }
  return false;
}

/**
 * Returns the error for a signature that matches no secret. The message says what was compared. It contains no secret and no
 * expected signature, because receivers log it and respond with it.
 */
async function mismatch(
  payload: string | Uint8Array,
  signature: string,
  timestamp: string,
  secrets: readonly string[],
): Promise<WebhookVerificationError> {
  // First, because the caller can change the bytes while this function waits.
  const body = await fingerprint(payload);
  let [code, reason]: [WebhookVerificationCode, string] = secrets.some((secret) =>
    secret.startsWith("parley_ws_"),
  )
    ? ["signature_mismatch", "Signature mismatch: wrong secret, or the body was changed"]
    : ["malformed_secret", "A secret must start with parley_ws_"];
  try {
    const again = JSON.stringify(JSON.parse(textOf(payload)));
    if (await isSigned(secrets, timestamp, again, "hex", [signature]))
      [code, reason] = [
        "reserialized_payload",
        "Body is the same JSON with other bytes: pass the raw body (no body parser)",
      ];
  } catch {
    // The body is not JSON.
  }
  return new WebhookVerificationError(
    code,
    `${reason}. Received: body of ${body}, timestamp ${timestamp}, signature sha256=${signature}. Secrets tried: ${secrets.length}`,
  );
}
