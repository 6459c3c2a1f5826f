import { WebhookVerificationError } from "./error.ts";
import type { WebhookEvent } from "./event.ts";
import { requireHeader, signatureHeader, timestampHeader, type WebhookHeaders } from "./headers.ts";
import { hmacKey, payloadBytes, signedContent, type WebhookPayload } from "./signed-content.ts";

/** What {@link verifyWebhook} takes. */
export interface VerifyWebhookOptions {
  /** The raw body. A body that was parsed and serialised again has another signature. */
  readonly payload: WebhookPayload;
  /** The headers of the delivery: `Headers` or a plain object, names in any case. */
  readonly headers: WebhookHeaders;
  /** The subscription's signing secret, or several of which one must fit, as during a rotation. */
  readonly secret: string | readonly string[];
  /** How far the timestamp may differ from the clock, in seconds, in either direction. Default 300. */
  readonly tolerance?: number | undefined;
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Verifies a delivery and returns its event (specification §6.3: all three rules). The comparison is
 * `crypto.subtle.verify`, which takes constant time.
 *
 * @throws {@link WebhookVerificationError} whose `code` says why the delivery was refused.
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  const { headers, tolerance = 300, now = Date.now } = options;
  const body = payloadBytes(options.payload);
  const signature = readSignature(requireHeader(headers, signatureHeader));
  const timestamp = requireHeader(headers, timestampHeader);
  checkTimestamp(timestamp, Math.floor(now() / 1000), tolerance);
  await checkSignature(signature, signedContent(timestamp, body), options.secret);
  return parseEvent(body);
}

function readSignature(header: string): Uint8Array<ArrayBuffer> {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(header) ?? [];
  if (!hex) {
    throw new WebhookVerificationError(
      "malformed_signature",
      "The signature is not sha256= and 64 hex digits",
    );
  }
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

/** Asks whether the age lies within, so that a tolerance or a clock that is no number lets nothing through. */
function checkTimestamp(timestamp: string, now: number, tolerance: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError("malformed_timestamp", "The timestamp is not Unix time in seconds");
  }
  const age = now - Number(timestamp);
  if (age >= -tolerance && age <= tolerance) return;
  const [code, where] =
    age < 0 ? (["timestamp_in_future", "ahead"] as const) : (["timestamp_too_old", "old"] as const);
  throw new WebhookVerificationError(
    code,
    `The timestamp is ${Math.abs(age)} s ${where}, over ${tolerance} s`,
  );
}

async function checkSignature(
  signature: Uint8Array<ArrayBuffer>,
  content: ArrayBuffer,
  secret: string | readonly string[],
): Promise<void> {
  // An empty secret would let anybody sign.
  const secrets = [secret].flat().filter(Boolean);
  if (!secrets.length) throw new WebhookVerificationError("missing_secret", "No signing secret was passed");
  for (const one of secrets) {
    if (await crypto.subtle.verify("HMAC", await hmacKey(one), signature, content)) return;
  }
  throw new WebhookVerificationError("signature_mismatch", "Body changed (pass it raw), or another secret");
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    const event: WebhookEvent = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (typeof event.type === "string") return event;
  } catch {
    // Not UTF-8, not JSON, or null: no event, as below.
  }
  throw new WebhookVerificationError("malformed_payload", "The payload is signed, but it is no event");
}
