import { WebhookVerificationError } from "../error.ts";
import type { WebhookEvent, WebhookEventType } from "../event.ts";
import { headerOf, type WebhookHeaders } from "../headers.ts";
import type { WebhookPayload } from "../payload.ts";
import { type VerifyWebhookOptions, verifyWebhook } from "../verify.ts";
import type { Dedupe } from "./dedupe.ts";
import { ReceiverError } from "./error.ts";

/** What is known of a delivery besides its event. */
export interface Delivery {
  /** `X-Parley-Delivery`: the same at every attempt; another one when the event was redelivered on request. */
  readonly id: string;
  readonly headers: WebhookHeaders;
}

/** A handler for each event type that matters. It may return a promise. */
export type WebhookHandlers = {
  readonly [Type in WebhookEventType]?: (event: WebhookEvent<Type>, delivery: Delivery) => unknown;
};

/** What a receiver takes. */
export interface ReceiverOptions extends Pick<VerifyWebhookOptions, "secret" | "tolerance" | "now"> {
  /**
   * What to do with which event. The delivery is answered when the handler is done: with 204, or with 500 when it throws,
   * and then sent again. An attempt ends after 10 s, so put longer work into a queue.
   */
  readonly on: WebhookHandlers;
  /** For types without a handler, also those that are newer than this package. Default: they are accepted and dropped. */
  readonly onOther?: ((event: WebhookEvent, delivery: Delivery) => unknown) | undefined;
  /** Hears why a delivery was refused, and what handlers throw. Default `console.error`. What it throws is dropped. */
  readonly onError?: ((error: unknown) => unknown) | undefined;
  /** Sees to it that a delivery that comes twice is handled once, for example {@link memoryDedupe}. Default: none. */
  readonly dedupe?: Dedupe | undefined;
  /** The longest body, in bytes; a longer one is answered with 413. Default 1,048,576. */
  readonly maxBytes?: number | undefined;
}

/** What a receiver answers. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The body of a request, or why it cannot be had. */
export type ReadBody = (maxBytes: number) => Promise<WebhookPayload>;

/**
 * Receives one request, whatever it came through. Never throws: what goes wrong is told to `onError`, and to the sender
 * by the status.
 *
 * @param read - reads the raw body
 */
export async function receive(
  options: ReceiverOptions,
  method: string | undefined,
  headers: WebhookHeaders,
  read: ReadBody,
): Promise<Answer> {
  if (method !== "POST") return answer(405, { error: "method_not_allowed" }, { allow: "POST" });
  try {
    const payload = await read(options.maxBytes ?? 1_048_576);
    const event = await verifyWebhook({ ...options, headers, payload });
    return await once(options, event, { id: headerOf(headers, "x-parley-delivery"), headers });
  } catch (error) {
    await tell(options, error);
    return refusal(error);
  }
}

/** A hook that fails must not leave the sender without an answer. */
async function tell({ onError }: ReceiverOptions, error: unknown): Promise<void> {
  try {
    if (onError) await onError(error);
    else console.error("Parley webhook:", error);
  } catch {
    // It was the last one to tell.
  }
}

function refusal(error: unknown): Answer {
  if (error instanceof ReceiverError) return answer(error.status, { error: error.code });
  if (!(error instanceof WebhookVerificationError)) return answer(500, { error: "handler_failed" });
  // A wrong secret is this side's mistake: with a 5xx the delivery comes again when it is mended.
  const status = error.code === "missing_secret" || error.code === "malformed_secret" ? 500 : 400;
  return answer(status, { error: error.code, error_description: error.message });
}

async function once(options: ReceiverOptions, event: WebhookEvent, delivery: Delivery): Promise<Answer> {
  const { dedupe } = options;
  if (!dedupe) {
    await handle(options, event, delivery);
    return answer(204);
  }
  // The delivery's id is not signed, the event's is: together, no delivery can be passed off as another.
  const key = `${delivery.id} ${event.id}`;
  const state = await dedupe.claim(key);
  if (state === "handled") return answer(204);
  if (state === "busy") return answer(503, { error: "busy" }, { "retry-after": "5" });
  try {
    await handle(options, event, delivery);
  } catch (error) {
    try {
      await dedupe.release(key);
    } catch (reason) {
      await tell(options, reason);
    }
    throw error;
  }
  await dedupe.done(key);
  return answer(204);
}

async function handle({ on, onOther }: ReceiverOptions, event: WebhookEvent, delivery: Delivery) {
  // The type comes from outside: it must not reach a member that every object has.
  const handler = Object.hasOwn(on, event.type) ? on[event.type] : undefined;
  await (handler ?? onOther)?.(event as never, delivery);
}

function answer(status: number, body?: object, headers: Readonly<Record<string, string>> = {}): Answer {
  if (!body) return { status, headers, body: "" };
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
