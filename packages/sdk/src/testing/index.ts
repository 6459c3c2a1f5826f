/**
 * `@parley/sdk/testing`: events, signed deliveries, fake responses and a webhook forwarder for the tests of your
 * integration. It does not depend on a test framework. Your program does not need it at run time.
 *
 * @packageDocumentation
 */

export {
  type FakeCall,
  type FakeFetch,
  type FakeResponse,
  type FakeResponses,
  fakeFetch,
} from "./fake-fetch.ts";
export { type FollowEventsOptions, type FollowedEvent, followEvents } from "./follow-events.ts";
export { type EventForwarder, type ForwardOptions, forwardEvents } from "./forward-events.ts";
export { mockCall, mockList } from "./mocks.ts";
export {
  type ErrorOptions,
  errorResponse,
  type OperationId,
  type Overrides,
  responseExample,
} from "./responses.ts";
export { type SendOptions, type SentDelivery, sendWebhook } from "./send-webhook.ts";
export { type WebhookRequestOptions, webhookHeaders, webhookRequest } from "./signed-request.ts";
export { eventTypes, webhookEvent } from "./webhook-event.ts";
