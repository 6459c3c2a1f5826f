import { httpUrl } from "../http/base-url.ts";
import { withDeadline } from "../http/deadline.ts";
import type { WebhookEvent } from "../webhooks/event.ts";
import { chunksOf } from "../webhooks/receivers/body.ts";
import { type WebhookRequestOptions, webhookRequest } from "./signed-request.ts";

/** Options of {@link sendWebhook}. */
export interface SendOptions extends WebhookRequestOptions {
  /** Timeout of the attempt in milliseconds. Default: 10,000, as Parley's. */
  readonly timeoutMs?: number | undefined;
  /** Signal that aborts the attempt. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Function that sends the request. Default: `globalThis.fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Result of an attempt to send an event. */
export interface SentDelivery {
  /** Event that was sent. */
  readonly event: WebhookEvent;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Whether the receiver responded with a 2xx status. Parley counts any other result as a failure. */
  readonly delivered: boolean;
  /** Status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** Why there was no response, for example `ECONNREFUSED`; undefined if there was one. */
  readonly error: string | undefined;
  /** First 1,024 characters of the response body; empty if there was no response. */
  readonly body: string;
  /** Duration in milliseconds. */
  readonly durationMs: number;
}

const longestBody = 1024;

/**
 * Signs an event and sends it to your receiver once, as Parley sends a delivery. Redirects are not followed. A failure is
 * not an error.
 *
 * @param url - URL of your receiver
 * @throws TypeError if `url` is not an absolute http or https URL; the reason of `signal` if it is aborted
 *
 * @example
 * const result = await sendWebhook("http://127.0.0.1:3000/hook", webhookEvent("lead.created"), { secret });
 * console.log(result.status ?? result.error, `${result.durationMs} ms`);
 */
export async function sendWebhook(
  url: string | URL,
  event: WebhookEvent,
  options: SendOptions,
): Promise<SentDelivery> {
  const { timeoutMs = 10_000, signal = new AbortController().signal, fetch = globalThis.fetch } = options;
  const signed = await webhookRequest(httpUrl("url", url), event, options);
  const start = performance.now();
  let status: number | undefined;
  let error: string | undefined;
  let body = "";
  try {
    await withDeadline(signal, timeoutMs, async (deadline) => {
      // In a variable: Node.js 20 ignores the signal of a request that was garbage collected.
      const request = new Request(signed, { redirect: "manual", signal: deadline });
      const response = await fetch(request);
      ({ status } = response);
      const decoder = new TextDecoder();
      for await (const chunk of chunksOf(response.body)) {
        body += decoder.decode(chunk, { stream: true });
        if (body.length >= longestBody) break;
      }
      return request;
    });
  } catch (reason) {
    if (signal.aborted) throw reason;
    // Parley counts a response whose body does not end by its status.
    if (status === undefined) error = reasonOf(reason);
  }
  const delivered = status !== undefined && status >= 200 && status < 300;
  const durationMs = Math.round(performance.now() - start);
  return { event, attempt: 1, delivered, status, error, body: body.slice(0, longestBody), durationMs };
}

/** Returns the code of the innermost error, for example `ECONNREFUSED`, because `fetch` only says "fetch failed". */
function reasonOf(error: unknown): string {
  const { code, cause, message } = error as { code?: unknown; cause?: unknown; message?: unknown };
  if (typeof cause === "object" && cause !== null) return reasonOf(cause);
  return typeof code === "string" ? code : String(message ?? error);
}
