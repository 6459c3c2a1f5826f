/** What an error is made of. */
export interface ErrorDetails {
  /** HTTP status of the answer; none when no answer came. */
  readonly status?: number | undefined;
  /** Code for programs: `error` of the answer (specification §7), or one of this package's own. */
  readonly code: string;
  /** For people: `error_description` of the answer. */
  readonly description: string;
  /** `X-Request-Id` of the answer: quote it when you report a problem. */
  readonly requestId?: string | undefined;
  /** Seconds to wait before the next request, where the answer says so. */
  readonly retryAfter?: number | undefined;
  /** The error below this one. */
  readonly cause?: unknown;
}

/**
 * Base of every error that this package throws, except a caller's own `AbortSignal` reason.
 *
 * @example
 * try {
 *   await parley.leads.get("missing");
 * } catch (error) {
 *   if (error instanceof NotFoundError) console.log(error.requestId);
 *   else throw error;
 * }
 */
export class ParleyError extends Error {
  override readonly name: string = "ParleyError";
  /** HTTP status of the answer; undefined when no answer came. */
  declare readonly status: number | undefined;
  /** Code for programs, for example `not_found` (specification §7). */
  declare readonly code: string;
  /** For people, as the service wrote it. */
  declare readonly description: string;
  /** `X-Request-Id` of the answer. */
  declare readonly requestId: string | undefined;
  /** Seconds to wait before the next request, where the answer says so. */
  declare readonly retryAfter: number | undefined;

  constructor({ cause, ...details }: ErrorDetails) {
    const { status, code, description, requestId } = details;
    const facts = [status, code, requestId && `request ${requestId}`].filter(Boolean).join(", ");
    super(`${description} (${facts})`, cause === undefined ? undefined : { cause });
    Object.assign(this, details);
  }
}
