import { WebhookVerificationError } from "../error.ts";
import type { WebhookEvent, WebhookEventType } from "../event.ts";
import { headerOf, readHeader, type WebhookHeaders } from "../headers.ts";
import type { WebhookPayload } from "../payload.ts";
import { type VerifyWebhookOptions, verifyWebhookDelivery } from "../verify.ts";
import type { Dedupe } from "./dedupe.ts";
import { ReceiverError } from "./error.ts";

/** ID and headers of a delivery. */
export interface Delivery {
  /** ID of the delivery. Every retry has the same ID. A redelivery has a new ID. */
  readonly id: string;
  /** Whether the ID is signed. Parley always signs it. With `dedupe`, a delivery without a signed ID is rejected. */
  readonly isIdSigned: boolean;
  /** Headers of the request. */
  readonly headers: WebhookHeaders;
}

/** Handlers by event type. A handler can return a promise. */
export type WebhookHandlers = {
  readonly [Type in WebhookEventType]?: (event: WebhookEvent<Type>, delivery: Delivery) => unknown;
};

/**
 * Options of a receiver.
 *
 * A receiver responds with:
 *
 * - 204 when the event was handled, has no handler or was already handled
 * - 400 when the delivery is rejected, with the code of the {@link WebhookVerificationError} as `error`
 * - 405 when the method is not POST
 * - 413 when the body is larger than `maxBytes`
 * - 500 when a handler or `dedupe` throws, when the secret is missing or malformed, or when the body was already read
 * - 503 when `dedupe` says that the delivery is `busy`
 *
 * Parley counts every status other than 2xx as a failed attempt and retries the delivery.
 *
 * @example
 * const receiver = receiveWebhooks({
 *   secret: [secret, process.env.NEW_PARLEY_WEBHOOK_SECRET ?? ""],
 *   on: { "lead.created": ({ data }, { id }) => console.log(id, data.attributes.contact.email) },
 *   onOther: ({ type }) => console.log("no handler for", type),
 *   onError: (error) => console.error("webhook delivery failed", error),
 *   dedupe: memoryDedupe(),
 *   maxBytes: 100_000,
 * });
 */
export interface ReceiverOptions extends Pick<VerifyWebhookOptions, "secret" | "tolerance" | "now"> {
  /**
   * Handlers by event type. The receiver responds after the handler has finished. Parley waits 10 seconds for the
   * response, so put longer work in a queue.
   */
  readonly on: WebhookHandlers;
  /** Handler for all other event types, including types that this version does not know. Default: they are ignored. */
  readonly onOther?: ((event: WebhookEvent, delivery: Delivery) => unknown) | undefined;
  /**
   * Function that receives the error of a rejected delivery, and the errors that handlers and `dedupe` throw. Its own errors
   * are ignored. Default: `console.error`.
   */
  readonly onError?: ((error: unknown) => unknown) | undefined;
  /** Store of handled deliveries, so that a repeated delivery is skipped; see {@link memoryDedupe}. Default: none. */
  readonly dedupe?: Dedupe | undefined;
  /** Largest accepted body, in bytes. Default: 1,048,576. */
  readonly maxBytes?: number | undefined;
}

/** Response of a receiver. */
export interface ReceiverResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads the raw body. Rejects with a {@link ReceiverError} if it is too large or was already read. */
export type ReadBody = (maxBytes: number) => Promise<WebhookPayload>;

/**
 * Verifies and handles a request of any framework, and returns the response. It never throws. It passes errors to
 * `onError`, and responds with the status for the error.
 */
export async function receive(
  options: ReceiverOptions,
  method: string | undefined,
  headers: WebhookHeaders,
  read: ReadBody,
): Promise<ReceiverResponse> {
  if (method !== "POST") return responseOf(405, { error: "method_not_allowed" }, { allow: "POST" });
  try {
    const payload = await read(options.maxBytes ?? 1_048_576);
    const { event, id } = await verifyWebhookDelivery({ ...options, headers, payload });
    return await handleOnce(options, event, {
      id: id ?? headerOf(headers, "x-parley-delivery"),
      isIdSigned: id !== undefined,
      headers,
    });
  } catch (error) {
    await report(options, error);
    return errorResponse(error);
  }
}

async function report({ onError }: ReceiverOptions, error: unknown): Promise<void> {
  try {
    if (onError) await onError(error);
    else console.error("Parley webhook delivery failed:", error);
  } catch {
    // The sender must get its response even if onError fails.
  }
}

function errorResponse(error: unknown): ReceiverResponse {
  if (error instanceof ReceiverError) return responseOf(error.status, { error: error.code });
  if (!(error instanceof WebhookVerificationError)) return responseOf(500, { error: "handler_failed" });
  // A missing or malformed secret is a mistake in the configuration of the receiver, not of the sender.
  const status = error.code === "missing_secret" || error.code === "malformed_secret" ? 500 : 400;
  return responseOf(status, { error: error.code, error_description: error.message });
}

async function handleOnce(
  options: ReceiverOptions,
  event: WebhookEvent,
  delivery: Delivery,
): Promise<ReceiverResponse> {
  const { dedupe } = options;
  if (!dedupe) {
    await handle(options, event, delivery);
    return responseOf(204);
  }
  // Otherwise, a captured request could be repeated with other IDs.
  if (!delivery.isIdSigned) readHeader({}, "webhook-signature", /./, "missing_header");
  const key = `${delivery.id} ${event.id}`;
  const state = await dedupe.claim(key);
  if (state === "handled") return responseOf(204);
  if (state === "busy") return responseOf(503, { error: "busy" }, { "retry-after": "5" });
  try {
    await handle(options, event, delivery);
  } catch (error) {
    try {
      await dedupe.release(key);
    } catch (reason) {
      await report(options, reason);
    }
    throw error;
  }
  await dedupe.done(key);
  return responseOf(204);
}

async function handle({ on, onOther }: ReceiverOptions, event: WebhookEvent, delivery: Delivery) {
  // The type comes from the request, so it must not select an inherited member such as toString.
  const handler = Object.hasOwn(on, event.type) ? on[event.type] : undefined;
  await (handler ?? onOther)?.(event as never, delivery);
}

function responseOf(
  status: number,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): ReceiverResponse {
  if (!body) return { status, headers, body: "" };
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
