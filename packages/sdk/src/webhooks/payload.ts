import { WebhookVerificationError } from "./error.ts";
import { nodeCrypto } from "./hmac.ts";

/** The raw body, exactly as it came: text or bytes, not a parsed object. */
export type WebhookPayload = string | Uint8Array | ArrayBuffer;

/**
 * Text, or bytes that do not change while they are verified: where WebCrypto is waited for, a copy of those of a view. A
 * buffer that is used again meanwhile does not reach the event.
 */
export function ownPayload(payload: WebhookPayload): string | Uint8Array {
  if (typeof payload === "string") return payload;
  if (nodeCrypto && payload instanceof Uint8Array) return payload;
  // Bytes, or an ArrayBuffer, of whatever realm. A parsed object has no functions.
  if (typeof payload?.slice === "function") return new Uint8Array(payload.slice());
  throw new WebhookVerificationError("malformed_payload", "Pass the raw body as text or bytes, not parsed");
}

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/** The text of a payload. @throws TypeError when it is not UTF-8. */
export function textOf(payload: string | Uint8Array): string {
  return typeof payload === "string" ? payload : decoder.decode(payload);
}
