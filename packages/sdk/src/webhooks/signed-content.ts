import { WebhookVerificationError } from "./error.ts";

/** The raw body, exactly as it came: text or bytes, not a parsed object. */
export type WebhookPayload = string | Uint8Array | ArrayBuffer;

const encoder = new TextEncoder();

/** A copy of its own, so what happens to the payload meanwhile does not reach the event. */
export function payloadBytes(payload: WebhookPayload): Uint8Array {
  if (typeof payload === "string") return encoder.encode(payload);
  if (ArrayBuffer.isView(payload)) return new Uint8Array(payload);
  // The tag also knows the ArrayBuffer of another realm.
  if (Object.prototype.toString.call(payload) === "[object ArrayBuffer]")
    return new Uint8Array(payload).slice();
  throw new WebhookVerificationError("malformed_payload", "Pass the raw body as text or bytes, not parsed");
}

/** `<timestamp>.<raw_body>`, what is signed (specification §6.2). */
export function signedContent(timestamp: string, body: Uint8Array): ArrayBuffer {
  const prefix = encoder.encode(`${timestamp}.`);
  const content = new Uint8Array(prefix.length + body.length);
  content.set(prefix);
  content.set(body, prefix.length);
  return content.buffer;
}

/** The key is the UTF-8 of the whole secret, its prefix `parley_ws_` included. */
export function hmacKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign", "verify"]);
}
