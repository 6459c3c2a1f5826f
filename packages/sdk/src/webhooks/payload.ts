import { WebhookVerificationError } from "./error.ts";
import type { WebhookEvent } from "./event.ts";

/** Raw body of a delivery, exactly as received: a string or bytes, not a parsed object. */
export type WebhookPayload = string | Uint8Array | ArrayBuffer;

/**
 * Returns the payload as a string, or as a copy of its bytes, because verification is asynchronous and the caller can reuse the buffer in the
 * meantime.
 */
export function stablePayload(payload: WebhookPayload): string | Uint8Array {
  if (typeof payload === "string") return payload;
  // A Uint8Array or ArrayBuffer of any realm. A parsed object has no methods.
  if (typeof payload?.slice === "function") return new Uint8Array(payload.slice());
  throw new WebhookVerificationError("malformed_payload", "Pass the raw body as string or bytes");
}

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/**
 * Returns the payload as text.
 *
 * @throws TypeError if the bytes are not UTF-8
 */
export function textOf(payload: string | Uint8Array): string {
  return typeof payload === "string" ? payload : decoder.decode(payload);
}

/**
 * Returns the event of a verified payload.
 *
 * @throws {@link WebhookVerificationError} if the payload is not an event
 */
export function parseEvent(payload: string | Uint8Array): WebhookEvent {
  const event: WebhookEvent = JSON.parse(textOf(payload));
  if (typeof event.type === "string") return event;
  throw new WebhookVerificationError("malformed_payload", "Body is not an event");
}
