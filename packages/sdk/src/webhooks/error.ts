/**
 * Reason why a delivery was rejected.
 *
 * - `missing_header`: the signature or timestamp header is missing. `header` is its name.
 * - `malformed_signature`: the signature header is not `sha256=` with 64 hex digits. With a public key, `webhook-signature` has no
 *   `v1a` signature, or `webhook-id` is malformed. `header` is the name.
 * - `malformed_timestamp`: the timestamp header is not 1 to 12 digits.
 * - `timestamp_too_old`, `timestamp_in_future`: the timestamp differs from the clock by more than `tolerance`.
 * - `reserialized_payload`: the body was parsed and serialized again, or white space was added. Pass the raw body.
 * - `malformed_secret`: the signature does not match, and no secret begins with `parley_ws_`. With public keys, none is an
 *   Ed25519 key.
 * - `signature_mismatch`: the signature does not match, because the secret is wrong or the body was changed. If `header` is
 *   `webhook-signature`, only this one does not match, because `webhook-id` was changed.
 * - `malformed_payload`: the payload is neither a string nor bytes, the signed body is not an event, or an option is
 *   invalid.
 * - `missing_secret`: there is no secret or public key, for example because an environment variable is not set.
 */
export type WebhookVerificationCode =
  | "missing_header"
  | "malformed_signature"
  | "malformed_timestamp"
  | "timestamp_too_old"
  | "timestamp_in_future"
  | "reserialized_payload"
  | "malformed_secret"
  | "signature_mismatch"
  | "malformed_payload"
  | "missing_secret";

/**
 * A delivery was rejected. `code` is the reason. For a signature that does not match, `message` says what was compared: the
 * length and SHA-256 of the body, the timestamp, the received signature, and the number of secrets or public keys. For a timestamp, it shows
 * the clock and the difference. It contains no secret and no expected signature. The guide _Debug a signature_ of the API
 * reference leads from the code to the cause.
 *
 * @example
 * try {
 *   await verifyWebhook({ payload, headers: {}, secret });
 * } catch (error) {
 *   if (error instanceof WebhookVerificationError) console.log(error.code, error.header); // missing_header x-parley-signature
 * }
 */
export class WebhookVerificationError extends Error {
  /** Name of the class. */
  override readonly name: string = "WebhookVerificationError";
  /** Reason why the delivery was rejected. */
  readonly code: WebhookVerificationCode;
  /** Name of the missing or malformed header, in lower case; undefined for other codes. */
  readonly header: string | undefined;

  /** Creates an error with a code, a message and the name of the header. */
  constructor(code: WebhookVerificationCode, message: string, header?: string) {
    super(message);
    this.code = code;
    this.header = header;
  }
}
