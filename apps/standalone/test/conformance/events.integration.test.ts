import type { Receiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  closeReceivers,
  deliveryAbout,
  everyType,
  header,
  lead,
  newReceiver,
  nothingPending,
  parse,
  type Subscription,
  soon,
  subscribe,
} from "./receiving.ts";
import { type Account, type Item, type Service, sharedService } from "./service.ts";

// Which events are sent, when, and to which subscriptions.

const path = "/api/v1/webhooks";

let service: Service;
let account: Account;
/** Receives every event of `account`. */
let receiver: Receiver;
let everything: Subscription;
beforeAll(async () => {
  service = await sharedService();
  account = await service.createAccount("business");
  receiver = await newReceiver();
  everything = await subscribe(account, receiver, { event_types: everyType });
});
afterAll(closeReceivers);

const chat: Item = ["conversation", "chat", { chatbot_external_id: "bot" }];
const said = (id: string, changes: object = {}): Item => [
  "message",
  id,
  { conversation_external_id: "chat", role: "visitor", text: "Hello", ...changes },
];
const ticket = (id: string, changes: object = {}): Item => ["ticket", id, { subject: "Help", ...changes }];
const booked = (id: string, changes: object = {}): Item => [
  "meeting",
  id,
  {
    title: "Demo",
    starts_at: "2030-03-05T14:00:00Z",
    ends_at: "2030-03-05T14:30:00Z",
    timezone: "Europe/Vienna",
    ...changes,
  },
];
const tool = { chatbot_external_id: "bot", tool: "look_up_invoice", duration_ms: 12 };

/** Items that cause an event, the record of `data` last; and the expected `data`. */
test.each<[type: string, writes: Item[], kind: string, attributes: object]>([
  ["lead.created", [lead("a", { score: 5 })], "lead", { status: "new", score: 5 }],
  ["lead.updated", [lead("b"), lead("b", { source: "ad" })], "lead", { source: "ad" }],
  ["lead.qualified", [lead("c"), lead("c", { score: 70 })], "lead", { status: "qualified", score: 70 }],
  ["lead.converted", [lead("d"), lead("d", { status: "converted" })], "lead", { status: "converted" }],
  ["lead.score_changed", [lead("e", { score: 5 }), lead("e", { score: 6 })], "lead", { score: 6 }],
  ["conversation.started", [["conversation", "f", chat[2]]], "conversation", { status: "open" }],
  [
    "conversation.ended",
    [
      ["conversation", "g", chat[2]],
      ["conversation", "g", { chatbot_external_id: "bot", status: "ended" }],
    ],
    "conversation",
    { status: "ended" },
  ],
  ["conversation.message_received", [chat, said("h")], "message", { role: "visitor", text: "Hello" }],
  [
    "conversation.sentiment_negative",
    [said("i", { sentiment: "negative" }), ["conversation", "chat", chat[2]]],
    "conversation",
    { sentiment: "negative" },
  ],
  [
    "conversation.sentiment_positive",
    [said("j", { sentiment: "positive" }), ["conversation", "chat", chat[2]]],
    "conversation",
    { sentiment: "positive" },
  ],
  ["ticket.created", [ticket("k")], "ticket", { subject: "Help", status: "open" }],
  ["ticket.updated", [ticket("l"), ticket("l", { priority: "high" })], "ticket", { priority: "high" }],
  ["ticket.resolved", [ticket("m"), ticket("m", { status: "resolved" })], "ticket", { status: "resolved" }],
  ["meeting.scheduled", [booked("n")], "meeting", { status: "scheduled" }],
  [
    "meeting.cancelled",
    [booked("o"), booked("o", { status: "cancelled" })],
    "meeting",
    { status: "cancelled" },
  ],
  [
    "meeting.completed",
    [booked("p"), booked("p", { status: "completed" })],
    "meeting",
    { status: "completed" },
  ],
  [
    "message.feedback_negative",
    [said("q"), ["message_feedback", "q", { message_external_id: "q", rating: "negative" }]],
    "message_feedback",
    { rating: "negative" },
  ],
  [
    "message.feedback_positive",
    [said("r"), ["message_feedback", "r", { message_external_id: "r", rating: "positive" }]],
    "message_feedback",
    { rating: "positive" },
  ],
  [
    "agent.tool_failed",
    [["tool_run", "s", { ...tool, status: "failed", error: "No response." }]],
    "tool_run",
    { tool: "look_up_invoice", status: "failed", error: "No response." },
  ],
  [
    "agent.tool_executed",
    [["tool_run", "t", { ...tool, status: "executed" }]],
    "tool_run",
    { status: "executed" },
  ],
])("%s arrives when it happens", async (type, writes, kind, attributes) => {
  const id = (await account.write(...writes)).at(-1);
  const received = await deliveryAbout(receiver, id, type);
  expect(header(received, "x-parley-event")).toBe(type);
  expect(parse(received)).toMatchObject({ type, data: { id, type: kind, attributes } });
});

test("usage.threshold_reached arrives when 80 % of the month's messages (100,000) are used", async () => {
  await account.write(["usage_record", "u", { metric: "messages", quantity: 79_999 }]);
  await account.write(["usage_record", "v", { metric: "messages", quantity: 1 }]);
  const usage = { metric: "messages", allowance: 100_000, used: 80_000, threshold_percent: 80 };
  const found = await vi.waitFor(() => {
    const about = receiver.received.map(parse).filter((event) => event.type === "usage.threshold_reached");
    expect(about).toHaveLength(1);
    return about;
  }, soon);
  expect(found[0]?.data).toMatchObject({ type: "usage", attributes: usage });
});

test("a subscription receives only the event types that it lists", async () => {
  const other = await newReceiver();
  const tickets = await subscribe(account, other, { event_types: ["ticket.created"] });
  await account.write(lead("unlisted"));
  const [id] = await account.write(ticket("listed"));
  await deliveryAbout(other, id);
  await nothingPending(account, tickets);
  expect(other.received.map((one) => parse(one).type)).toEqual(["ticket.created"]);
});

test("filters.chatbot_id restricts a subscription to the events of one chatbot", async () => {
  const other = await newReceiver();
  const restricted = await subscribe(account, other, { filters: { chatbot_id: account.otherBot } });
  await account.write(lead("of-bot"));
  const [id] = await account.write(lead("of-other-bot", { chatbot_external_id: "other-bot" }));
  await deliveryAbout(other, id);
  await nothingPending(account, restricted);
  expect(other.received.map((one) => parse(one).data.id)).toEqual([id]);
});

test("a deleted subscription receives nothing more", async () => {
  const other = await newReceiver();
  const { id } = await subscribe(account, other);
  await account.call("DELETE", `${path}/${id}`);
  const [after] = await account.write(lead("after-deletion"));
  await deliveryAbout(receiver, after);
  expect(await service.db.delivery.count({ where: { subscriptionId: id } })).toBe(0);
  expect(other.received).toEqual([]);
});

test("each event arrives once", async () => {
  await nothingPending(account, everything);
  const ids = receiver.received.map((one) => parse(one).id);
  expect(ids.length).toBeGreaterThan(30);
  expect(new Set(ids).size).toBe(ids.length);
});

test("events of another organization do not arrive", async () => {
  const other = await service.createAccount("business");
  const [id] = await other.write(lead("foreign"));
  const [own] = await account.write(lead("own"));
  await deliveryAbout(receiver, own);
  await nothingPending(account, everything);
  expect(receiver.received.filter((one) => parse(one).data.id === id)).toEqual([]);
});
