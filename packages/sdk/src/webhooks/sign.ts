import { hmac } from "./hmac.ts";
import { stablePayload, type WebhookPayload } from "./payload.ts";

/**
 * Options of {@link signWebhook}.
 *
 * @example
 * const old = await signWebhook({ payload, secret, timestamp: Math.floor(Date.now() / 1000) - 301 });
 */
export interface SignWebhookOptions {
  /** Raw body. */
  readonly payload: WebhookPayload;
  /** Signing secret, including its prefix `parley_ws_`. */
  readonly secret: string;
  /** Unix time in seconds. Default: now. */
  readonly timestamp?: number | undefined;
}

/** Signature headers, returned by {@link signWebhook}. */
export interface WebhookSignatureHeaders {
  /** `sha256=` followed by 64 hex digits. */
  readonly "x-parley-signature": string;
  /** Unix time in seconds, the same value that was signed. */
  readonly "x-parley-timestamp": string;
  /** Makes the object assignable to `HeadersInit` and {@link WebhookHeaders}. */
  readonly [name: string]: string;
}

/**
 * Signs a body as Parley does, for tests of your receiver. Returns the signature headers: `sha256=` with the hexadecimal
 * HMAC SHA-256 of `<timestamp>.<raw_body>`, and the timestamp.
 *
 * @example
 * const headers = await signWebhook({ payload, secret });
 * const event = await verifyWebhook({ payload, headers, secret });
 */
export async function signWebhook(options: SignWebhookOptions): Promise<WebhookSignatureHeaders> {
  const timestamp = `${options.timestamp ?? Math.floor(Date.now() / 1000)}`;
  const hex = await hmac(options.secret, timestamp, stablePayload(options.payload), "hex");
  return { "x-parley-signature": `sha256=${hex}`, "x-parley-timestamp": timestamp };
}
