import { WebhookVerificationError } from "./error.ts";

/** The raw body, exactly as it came: text or bytes, not a parsed object. */
export type WebhookPayload = string | Uint8Array | ArrayBuffer;

/** Text, or bytes; those of a view are copied, so what happens to a reused buffer does not reach the event. */
export function ownPayload(payload: WebhookPayload): string | Uint8Array<ArrayBuffer> {
  if (typeof payload === "string") return payload;
  // The tag also knows the ArrayBuffer of another realm.
  if (ArrayBuffer.isView(payload) || Object.prototype.toString.call(payload) === "[object ArrayBuffer]")
    return new Uint8Array(payload);
  throw new WebhookVerificationError("malformed_payload", "Pass the raw body as text or bytes, not parsed");
}

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/** The text of a payload. @throws TypeError when it is not UTF-8. */
export function textOf(payload: string | Uint8Array): string {
  return typeof payload === "string" ? payload : decoder.decode(payload);
}
