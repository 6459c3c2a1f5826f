import { ParleyError } from "./parley-error.ts";

/** No answer came: the name did not resolve, the connection was refused or broke off. `cause` says more. */
export class ConnectionError extends ParleyError {
  override readonly name: string = "ConnectionError";
  declare readonly code: "connection_error" | "timeout";
}

/** No answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = "TimeoutError";
  declare readonly code: "timeout";
}

/** An answer that is not the service's: HTML, a redirect, no JSON. Something else listens at `baseUrl`, or in between. */
export class UnexpectedResponseError extends ParleyError {
  override readonly name: string = "UnexpectedResponseError";
  declare readonly code: "unexpected_response";
}
