export type { WebhookEvent, WebhookEventType } from "../event.ts";
export type { WebhookHeaders } from "../headers.ts";
export { type Dedupe, type DeliveryState, memoryDedupe } from "./dedupe.ts";
export { ReceiverError } from "./error.ts";
export type { Delivery, ReceiverOptions, WebhookHandlers } from "./receive.ts";
