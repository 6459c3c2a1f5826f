/**
 * `@parley/sdk/webhooks`: verifies webhook deliveries. It has no dependencies and does not load the rest of the package.
 *
 * @packageDocumentation
 */
export { type WebhookVerificationCode, WebhookVerificationError } from "./error.ts";
export type { WebhookEvent, WebhookEventType } from "./event.ts";
export type { WebhookHeaders } from "./headers.ts";
export type { WebhookPayload } from "./payload.ts";
export { type SignWebhookOptions, signWebhook, type WebhookSignatureHeaders } from "./sign.ts";
export {
  type VerifiedDelivery,
  type VerifyWebhookOptions,
  verifyWebhook,
  verifyWebhookDelivery,
} from "./verify.ts";
