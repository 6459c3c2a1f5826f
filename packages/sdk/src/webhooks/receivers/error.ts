/** A receiver could not read the raw body of a request. `message` says what to do. */
export class ReceiverError extends Error {
  /** Name of the class. */
  override readonly name: string = "ReceiverError";
  /** `body_already_read`: a body parser ran before the receiver. `payload_too_large`: the body exceeds `maxBytes`. */
  readonly code: "body_already_read" | "payload_too_large";
  /** HTTP status of the response: 500 for `body_already_read`, 413 for `payload_too_large`. */
  readonly status: number;

  /** Creates an error with a code and a message. */
  constructor(code: "body_already_read" | "payload_too_large", message: string) {
    super(message);
    this.code = code;
    this.status = code === "payload_too_large" ? 413 : 500;
  }
}

/** Returns the error for a body that was already read. The status is 500, so that Parley retries the delivery. */
export function alreadyRead(fix: string): ReceiverError {
  return new ReceiverError("body_already_read", `The request body was read before the receiver ran. ${fix}`);
}
