import { createHmac } from "node:crypto";
import { type Received, type Receiver, startReceiver } from "@parley/webhooks/testing";
import { expect, vi } from "vitest";
import type { Account, Item, Resource, Service } from "./service.ts";

export interface Subscription {
  id: string;
  secret: string;
  status: string;
  failure_count: number;
}

/** Every event type, as the reference lists them. */
export const everyType = [
  "lead.created",
  "lead.updated",
  "lead.qualified",
  "lead.converted",
  "lead.score_changed",
  "conversation.started",
  "conversation.ended",
  "conversation.message_received",
  "conversation.sentiment_negative",
  "conversation.sentiment_positive",
  "ticket.created",
  "ticket.updated",
  "ticket.resolved",
  "meeting.scheduled",
  "meeting.cancelled",
  "meeting.completed",
  "meeting.reminder",
  "message.feedback_negative",
  "message.feedback_positive",
  "agent.tool_failed",
  "agent.tool_executed",
  "usage.threshold_reached",
];

/** The body of a delivery. */
export interface Event {
  id: string;
  type: string;
  data: Resource;
}

/** Options of `vi.waitFor` for asynchronous results. */
export const soon = { timeout: 60_000, interval: 20 };

const receivers: Receiver[] = [];

/** Starts a fake receiver on this machine. It responds with 200 by default. */
export async function newReceiver(response?: Receiver["respond"]): Promise<Receiver> {
  const receiver = await startReceiver(response);
  receivers.push(receiver);
  return receiver;
}

export async function closeReceivers(): Promise<void> {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
}

/** Subscribes a receiver, by default to `lead.created`. */
export async function subscribe(by: Account, to: Receiver, changes: object = {}): Promise<Subscription> {
  const body = { target_url: to.url, event_types: ["lead.created"], ...changes };
  return (await by.call<Subscription>("POST", "/api/v1/webhooks/subscribe", body)).body.data;
}

/** Returns a lead item of the Platform API. */
export const lead = (externalId: string, changes: object = {}): Item => [
  "lead",
  externalId,
  { chatbot_external_id: "bot", ...changes },
];

export const parse = ({ body }: Received) => JSON.parse(body) as Event;
export const header = ({ headers }: Received, name: string) => String(headers[name]);

/** Returns what `X-Parley-Signature` must be: `sha256=` and the hexadecimal HMAC SHA-256 of `<timestamp>.<raw_body>`. */
export function signatureOf(received: Received, secret: string): string {
  const signed = `${header(received, "x-parley-timestamp")}.${received.body}`;
  return `sha256=${createHmac("sha256", secret).update(signed).digest("hex")}`;
}

/** Waits for the first delivery about a record, of a type if one is given. */
export function deliveryAbout(receiver: Receiver, id: string | undefined, type?: string): Promise<Received> {
  return vi.waitFor(() => {
    const found = receiver.received.find((received) => {
      const event = parse(received);
      return event.data.id === id && (type === undefined || event.type === type);
    });
    if (!found) throw new Error(`no delivery about ${id} arrived`);
    return found;
  }, soon);
}

/** Waits until a subscription has no pending deliveries. An event's deliveries are created together with the event. */
export async function nothingPending(by: Account, { id }: Subscription): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await by.call<object[]>("GET", `/api/v1/webhooks/${id}/deliveries?status=pending`);
    expect(body.data).toEqual([]);
  }, soon);
}

/** Schedules the deliveries of a subscription for now, because backoffs last up to an hour. */
export async function endBackoff({ db }: Service, { id }: Subscription): Promise<void> {
  await db.$executeRaw`
    UPDATE subscription_queues SET circuit_open_until = now() WHERE subscription_id = ${id}::uuid`;
  await db.$executeRaw`UPDATE deliveries SET next_at = now() WHERE subscription_id = ${id}::uuid`;
}

/** Waits until a subscription has a number of consecutive failures. Returns the subscription. */
export function failuresReach(by: Account, { id }: Subscription, count: number): Promise<Subscription> {
  return vi.waitFor(async () => {
    const { data } = (await by.call<Subscription>("GET", `/api/v1/webhooks/${id}`)).body;
    expect(data.failure_count).toBe(count);
    return data;
  }, soon);
}
