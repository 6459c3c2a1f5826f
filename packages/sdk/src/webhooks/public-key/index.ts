/**
 * `@parley/sdk/webhooks/public-key`: verifies webhook deliveries with the public key of the organization. It has no dependencies
 * and does not load the rest of the package.
 *
 * @packageDocumentation
 */
export { type WebhookVerificationCode, WebhookVerificationError } from "../error.ts";
export type { WebhookEvent, WebhookEventType } from "../event.ts";
export type { WebhookHeaders } from "../headers.ts";
export type { WebhookPayload } from "../payload.ts";
export {
  type WebhookPublicKey,
  type WebhookPublicKeySet,
  type WebhookPublicKeySource,
  WebhookPublicKeysError,
  type WebhookPublicKeysOptions,
  webhookPublicKeys,
} from "./keys.ts";
export { type VerifyWithPublicKeyOptions, verifyWebhookWithPublicKey } from "./verify.ts";
