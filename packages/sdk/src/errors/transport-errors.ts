import { ParleyError } from "./parley-error.ts";

/**
 * No complete response arrived: the host name did not resolve, or the connection was refused or broken. `cause` is the
 * error of `fetch`.
 */
export class ConnectionError extends ParleyError {
  override readonly name: string = "ConnectionError";
  declare readonly code: "connection_error" | "timeout";
}

/** No complete response arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = "TimeoutError";
  declare readonly code: "timeout";
}

/**
 * The response is not a response of the API, but a redirect, HTML, or JSON in another format. Either `baseUrl` is the
 * address of another server, or a proxy responded. For a 429 or 5xx from a proxy, the error is a {@link
 * RateLimitExceededError} or {@link ServerError} instead.
 */
export class UnexpectedResponseError extends ParleyError {
  override readonly name: string = "UnexpectedResponseError";
  declare readonly code: "unexpected_response";
}
