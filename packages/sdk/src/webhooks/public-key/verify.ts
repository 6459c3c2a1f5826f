import { WebhookVerificationError } from "../error.ts";
import type { WebhookEvent } from "../event.ts";
import { readHeader, type WebhookHeaders } from "../headers.ts";
import { fingerprint } from "../hmac.ts";
import { parseEvent, stablePayload, textOf, type WebhookPayload } from "../payload.ts";
import { checkTimestamp } from "../timestamp.ts";
import { bytesOf, isSigned } from "./ed25519.ts";
import {
  type WebhookPublicKey,
  type WebhookPublicKeySet,
  type WebhookPublicKeySource,
  WebhookPublicKeysError,
} from "./keys.ts";

const idHeader = "webhook-id";
const timestampHeader = "webhook-timestamp";
const signatureHeader = "webhook-signature";
/** More signatures are ignored, so that a forged header costs little. Parley sends one. */
const maxSignatures = 4;

/**
 * Options of {@link verifyWebhookWithPublicKey}.
 *
 * @example
 * const event = await verifyWebhookWithPublicKey({ payload, headers, publicKeys, tolerance: 60 });
 */
export interface VerifyWithPublicKeyOptions {
  /** Raw body. If the body was parsed and serialized again, the signature does not match. */
  readonly payload: WebhookPayload;
  /** Headers of the delivery: `Headers` or a plain object. Names are case-insensitive. */
  readonly headers: WebhookHeaders;
  /** Public keys of the organization, of which one must match: a source of {@link webhookPublicKeys}, or a JWK Set. */
  readonly publicKeys: WebhookPublicKeySource | WebhookPublicKeySet;
  /** Accepted difference between timestamp and clock in either direction, in seconds. Default: 300. */
  readonly tolerance?: number | undefined;
  /** Function that returns the current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Verifies a webhook delivery with the public key of the organization and returns its event. The subscription needs
 * `public_key_signature`. The signature also covers `webhook-id`, so you can skip deliveries that you handled by this ID.
 *
 * @throws {@link WebhookVerificationError} if the delivery is rejected or an option is invalid. `code` is the reason
 * @throws {@link WebhookPublicKeysError} if the public keys cannot be loaded
 *
 * @example
 * const event = await verifyWebhookWithPublicKey({ payload, headers, publicKeys });
 * if (event.type === "lead.created") console.log(event.data.attributes.contact.email);
 */
export async function verifyWebhookWithPublicKey(options: VerifyWithPublicKeyOptions): Promise<WebhookEvent> {
  try {
    const { headers, publicKeys, tolerance = 300, now = Date.now } = options;
    const given = stablePayload(options.payload);
    // A copy, because the caller can change the bytes while this function waits.
    const payload = typeof given === "string" ? given : new Uint8Array(given);
    const header = readHeader(headers, signatureHeader, /^\S+,\S+( \S+,\S+)*$/, "malformed_signature");
    const id = readHeader(headers, idHeader, /^[\w-]{1,200}$/, "malformed_signature");
    const timestamp = readHeader(headers, timestampHeader, /^\d{1,12}$/, "malformed_timestamp");
    const signatures = signaturesOf(header);
    checkTimestamp(timestamp, Math.floor(now() / 1000), tolerance);
    const isMatch = (keys: readonly WebhookPublicKey[], body: string | Uint8Array) =>
      matches(keys, signatures, contentOf(`${id}.${timestamp}.`, body));

    const known = await ("get" in publicKeys ? publicKeys.get() : publicKeys.keys);
    if (await isMatch(known, payload)) return parseEvent(payload);
    const keys = await ("get" in publicKeys ? publicKeys.refresh() : known);
    if (keys !== known && (await isMatch(keys, payload))) return parseEvent(payload);
    const again = reserialized(payload);
    const [code, reason] =
      again !== undefined && (await isMatch(keys, again))
        ? ([
            "reserialized_payload",
            "Body is the same JSON with other bytes: pass the raw body (no body parser)",
          ] as const)
        : ([
            "signature_mismatch",
            "Signature mismatch: keys of another organization, or the body was changed",
          ] as const);
    throw new WebhookVerificationError(
      code,
      `${reason}. Received: body of ${await fingerprint(payload)}, ID ${id}, timestamp ${timestamp}, signature ${header}. Public keys tried: ${keys.length}`,
    );
  } catch (error) {
    if (error instanceof WebhookVerificationError || error instanceof WebhookPublicKeysError) throw error;
    throw new WebhookVerificationError("malformed_payload", String(error));
  }
}

/** Returns the payload as Parley serializes it; undefined if it is not JSON. */
function reserialized(payload: string | Uint8Array): string | undefined {
  try {
    return JSON.stringify(JSON.parse(textOf(payload)));
  } catch {
    return undefined;
  }
}

/** Returns the Ed25519 signatures of the header, which also contains others. */
function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  const signatures = header.split(" ").flatMap((word) => /^v1a,([A-Za-z0-9+/]{86}==)$/.exec(word)?.[1] ?? []);
  if (signatures.length > 0) return signatures.slice(0, maxSignatures).map(bytesOf);
  const message = `No v1a signature in ${signatureHeader}: set public_key_signature of the subscription to true`;
  throw new WebhookVerificationError("malformed_signature", message, signatureHeader);
}

/** Checks whether a key matches. Throws if there is no usable key. */
async function matches(
  keys: readonly WebhookPublicKey[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (keys.length === 0) throw new WebhookVerificationError("missing_secret", "There are no public keys");
  const usable = keys.flatMap(({ crv, x }) =>
    crv === "Ed25519" && /^[\w-]{43}$/.test(`${x}`) ? `${x}` : [],
  );
  if (usable.length === 0) {
    throw new WebhookVerificationError("malformed_secret", "No public key is an Ed25519 key in JWK format");
  }
  for (const x of usable) if (await isSigned(bytesOf(x), signatures, content)) return true;
  return false;
}

function contentOf(prefix: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const start = encoder.encode(prefix);
  const rest = typeof body === "string" ? encoder.encode(body) : body;
  const content = new Uint8Array(start.length + rest.length);
  content.set(start);
  content.set(rest, start.length);
  return content;
}
