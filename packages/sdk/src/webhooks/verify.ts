import { WebhookVerificationError } from "./error.ts";
import type { WebhookEvent } from "./event.ts";
import { readHeader, signatureHeader, timestampHeader, type WebhookHeaders } from "./headers.ts";
import { hmac } from "./hmac.ts";
import { ownPayload, textOf, type WebhookPayload } from "./payload.ts";

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
 * Verifies a delivery and returns its event (specification §6.3: all three rules). The comparison takes constant time.
 *
 * @throws {@link WebhookVerificationError} whose `code` says why the delivery was refused; never anything else.
 *
 * @example
 * const event = await verifyWebhook({ payload, headers, secret });
 * if (event.type === "lead.created") console.log(event.data.attributes.contact.email);
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  try {
    const { headers, tolerance = 300, now = Date.now } = options;
    const payload = ownPayload(options.payload);
    const signature = readHeader(headers, signatureHeader, /^sha256=[0-9a-f]{64}$/i, "malformed_signature");
    const timestamp = readHeader(headers, timestampHeader, /^\d{1,12}$/, "malformed_timestamp");
    checkTimestamp(timestamp, Math.floor(now() / 1000), tolerance);
    // An empty secret would let anybody sign.
    const secrets = [options.secret].flat().filter((secret) => secret?.trim?.());
    if (!secrets.length) throw new WebhookVerificationError("missing_secret", "No secret passed");
    for (const secret of secrets) {
      const digest = hmac(secret, timestamp, payload);
      const own = typeof digest === "string" ? digest : await digest;
      if (isEqual(own, signature.slice(7).toLowerCase())) return parseEvent(payload);
    }
    throw await mismatch(options, secrets);
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw error;
    throw new WebhookVerificationError("malformed_payload", String(error));
  }
}

/** Asks whether the age lies within, so that a tolerance or a clock that is no number lets nothing through. */
function checkTimestamp(timestamp: string, now: number, tolerance: number): void {
  const age = now - Number(timestamp);
  if (age >= -tolerance && age <= tolerance) return;
  const [code, where] =
    age < 0 ? (["timestamp_in_future", "ahead"] as const) : (["timestamp_too_old", "old"] as const);
  throw new WebhookVerificationError(code, `Timestamp is ${Math.abs(age)} s ${where}, over ${tolerance} s`);
}

/** Both of 64 digits. Looks at all of them, wherever they differ. */
function isEqual(a: string, b: string): boolean {
  let difference = 0;
  for (let index = 0; index < 64; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

/** Why no secret gives the signature. */
async function mismatch(
  options: VerifyWebhookOptions,
  secrets: readonly string[],
): Promise<WebhookVerificationError> {
  const payload = reserialized(options.payload);
  const isSigned =
    payload &&
    verifyWebhook({ ...options, payload }).then(
      () => true,
      () => false,
    );
  const [code, message] = (await isSigned)
    ? ([
        "reserialized_payload",
        "Body was parsed and serialised again: pass it raw (no body parser in front)",
      ] as const)
    : secrets.some((secret) => secret.startsWith("parley_ws_"))
      ? (["signature_mismatch", "Body changed (pass it raw), or another secret"] as const)
      : (["malformed_secret", "Signing secrets start with parley_ws_"] as const);
  return new WebhookVerificationError(code, message);
}

/** The payload as the service would have written it; undefined when it is so already, or no JSON. */
function reserialized(payload: WebhookPayload): string | undefined {
  try {
    const text = textOf(ownPayload(payload));
    const again = JSON.stringify(JSON.parse(text));
    return again === text ? undefined : again;
  } catch {
    return undefined;
  }
}

function parseEvent(payload: string | Uint8Array): WebhookEvent {
  const event: WebhookEvent = JSON.parse(textOf(payload));
  if (typeof event.type === "string") return event;
  throw new WebhookVerificationError("malformed_payload", "Signed, but no event");
}
