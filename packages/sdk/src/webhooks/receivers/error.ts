/** A request whose body a receiver could not have. `message` says what to do. */
export class ReceiverError extends Error {
  override readonly name: string = "ReceiverError";
  /** `body_already_read`: something in front has read it; `payload_too_large`: it is longer than `maxBytes`. */
  readonly code: "body_already_read" | "payload_too_large";
  /** What the sender is answered. */
  readonly status: number;

  constructor(code: "body_already_read" | "payload_too_large", message: string) {
    super(message);
    this.code = code;
    this.status = code === "payload_too_large" ? 413 : 500;
  }
}

/** For a body that is gone. With the 500 it comes again when the fix is in place. */
export function alreadyRead(fix: string): ReceiverError {
  return new ReceiverError(
    "body_already_read",
    `The raw body is gone: something in front of the receiver has read it. ${fix}`,
  );
}
