/**
 * Why a delivery was refused.
 *
 * - `missing_header`: the signature or the timestamp header is not there; `header` says which
 * - `malformed_signature`, `malformed_timestamp`: a header is there, but not in the form of specification §6.2
 * - `timestamp_too_old`, `timestamp_in_future`: outside the tolerance (specification §6.3, rule 2)
 * - `reserialized_payload`: the body was parsed and serialised again before it was passed; pass it as it came
 * - `malformed_secret`: no secret gives this signature, and none begins with `parley_ws_`
 * - `signature_mismatch`: no secret gives this signature: the body was changed, or the secret is another one
 * - `malformed_payload`: the payload is neither text nor bytes, or is signed but no event; or an option cannot be used
 * - `missing_secret`: no secret was passed, for example because an environment variable is unset
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
 * A delivery that must not be trusted. `code` says why, in a form for programs.
 *
 * @example
 * try {
 *   await verifyWebhook({ payload, headers: {}, secret });
 * } catch (error) {
 *   if (error instanceof WebhookVerificationError) console.log(error.code, error.header); // missing_header x-parley-signature
 * }
 */
export class WebhookVerificationError extends Error {
  override readonly name: string = "WebhookVerificationError";
  /** Why it was refused. */
  readonly code: WebhookVerificationCode;
  /** The header concerned, in lower case, where one is missing or malformed. */
  readonly header: string | undefined;

  constructor(code: WebhookVerificationCode, message: string, header?: string) {
    super(message);
    this.code = code;
    this.header = header;
  }
}
