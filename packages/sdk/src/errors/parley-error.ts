/** Properties of a {@link ParleyError}. */
export interface ErrorDetails {
  /** HTTP status; undefined when no response arrived. */
  readonly status?: number | undefined;
  /** Error code: `error` of the response body or redirect, or a code of the SDK, for example `timeout`. */
  readonly code: string;
  /** Human-readable description of what went wrong: `error_description` of the response body. */
  readonly description: string;
  /** `X-Request-Id` of the response. Include it when you report this error. */
  readonly requestId?: string | undefined;
  /** Time to wait before the next request, in seconds; undefined when the response has none. */
  readonly retryAfter?: number | undefined;
  /** The error that caused this one. */
  readonly cause?: unknown;
}

/**
 * Base class of the errors of API calls. Each error code has a subclass. A call can also throw a `TypeError` for an
 * invalid option or ID, the reason of your `AbortSignal`, and the errors of your functions, such as `onTokens` and
 * `onRequest`.
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
  /** Name of the class. */
  override readonly name: string = "ParleyError";
  /** HTTP status; undefined when no response arrived. */
  declare readonly status: number | undefined;
  /** Machine-readable error code, for example `not_found`; see *Errors* in the API reference. */
  declare readonly code: string;
  /** Human-readable description of what went wrong and what to do. The wording may change. */
  declare readonly description: string;
  /** `X-Request-Id` of the response. Include it when you report this error. */
  declare readonly requestId: string | undefined;
  /** Time to wait before the next request, in seconds; undefined when the response has none. */
  declare readonly retryAfter: number | undefined;

  /** Creates an error whose message is the description with status, code and request ID. */
  constructor({ cause, ...details }: ErrorDetails) {
    const { status, code, description, requestId } = details;
    const facts = [status, code, requestId && `request ${requestId}`].filter(Boolean).join(", ");
    super(`${description} (${facts})`, cause === undefined ? undefined : { cause });
    Object.assign(this, details);
  }
}
