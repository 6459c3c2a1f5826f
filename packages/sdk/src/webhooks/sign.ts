import { hmac } from "./hmac.ts";
import { ownPayload, type WebhookPayload } from "./payload.ts";

/** What {@link signWebhook} takes. */
export interface SignWebhookOptions {
  /** The raw body. */
  readonly payload: WebhookPayload;
  /** The signing secret, with its prefix `parley_ws_`. */
  readonly secret: string;
  /** Unix time in seconds. Default: now. */
  readonly timestamp?: number | undefined;
}

/** The two headers that {@link signWebhook} returns. */
export interface WebhookSignatureHeaders {
  /** `sha256=` and 64 hex digits. */
  readonly "x-parley-signature": string;
  /** Unix time in seconds. */
  readonly "x-parley-timestamp": string;
  // Makes the object assignable to a request's headers and to those that verifyWebhook takes.
  readonly [name: string]: string;
}

/**
 * Signs a body as the service does (specification §6.2), to test a receiver. Returns the two headers to send.
 *
 * @example
 * const headers = await signWebhook({ payload, secret });
 * const event = await verifyWebhook({ payload, headers, secret });
 */
export async function signWebhook(options: SignWebhookOptions): Promise<WebhookSignatureHeaders> {
  const timestamp = `${options.timestamp ?? Math.floor(Date.now() / 1000)}`;
  const hex = await hmac(options.secret, timestamp, ownPayload(options.payload));
  return { "x-parley-signature": `sha256=${hex}`, "x-parley-timestamp": timestamp };
}
