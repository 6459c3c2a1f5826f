import type { Call } from "../../../calls.ts";
import { addressOf } from "../../../sample-parts.ts";

/** Response of the API, as the browser received it. */
export interface Received {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: string;
  readonly durationMs: number;
}

/**
 * Sends a request without cookies, so that only the token identifies the caller.
 *
 * @throws TypeError if there is no response
 */
export async function send(call: Call, token: string | undefined, signal: AbortSignal): Promise<Received> {
  const headers = new Headers(call.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (call.body !== undefined) headers.set("content-type", "application/json");
  const started = performance.now();
  const response = await fetch(addressOf(call, location.origin), {
    method: call.method.toUpperCase(),
    headers,
    credentials: "omit",
    cache: "no-store",
    signal,
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });
  const body = await response.text();
  return {
    status: response.status,
    headers: [...response.headers],
    body,
    durationMs: Math.round(performance.now() - started),
  };
}
