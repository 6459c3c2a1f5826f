import { type EventType, eventTypes } from "@parley/contract";
import { expect, test } from "vitest";
import type { Item } from "../../src/modules/platform/items.ts";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, sampleItem } from "../../src/testing/platform.ts";

const api = useApi();

/** `meeting.reminder` comes from a scheduled job, see apps/worker/test/send-reminders.integration.test.ts. */
type Written = Exclude<EventType, "meeting.reminder">;

const said = (text: string, changes: object) => sampleItem("message", text, { text, ...changes });

/** Items that cause an event of each type. A new type does not compile until it is added. */
const sources: Record<Written, Item[]> = {
  "lead.created": [sampleItem("lead", "ada")],
  "lead.updated": [sampleItem("lead", "ada"), sampleItem("lead", "ada", { source: "pricing page" })],
  "lead.qualified": [sampleItem("lead", "ada", { score: 5 }), sampleItem("lead", "ada", { score: 82 })],
  "lead.converted": [sampleItem("lead", "ada"), sampleItem("lead", "ada", { status: "converted" })],
  "lead.score_changed": [sampleItem("lead", "ada", { score: 5 }), sampleItem("lead", "ada", { score: 6 })],
  "conversation.started": [sampleItem("conversation", "talk")],
  "conversation.ended": [sampleItem("conversation", "chat", { status: "ended" })],
  "conversation.message_received": [said("Hello", {})],
  "conversation.sentiment_negative": [said("Hello", { sentiment: "negative" })],
  "conversation.sentiment_positive": [said("Hello", {}), said("Hello", { sentiment: "positive" })],
  "ticket.created": [sampleItem("ticket", "help")],
  "ticket.updated": [sampleItem("ticket", "help"), sampleItem("ticket", "help", { priority: "high" })],
  "ticket.resolved": [sampleItem("ticket", "help"), sampleItem("ticket", "help", { status: "resolved" })],
  "meeting.scheduled": [sampleItem("meeting", "demo")],
  "meeting.cancelled": [
    sampleItem("meeting", "demo"),
    sampleItem("meeting", "demo", { status: "cancelled" }),
  ],
  "meeting.completed": [
    sampleItem("meeting", "demo"),
    sampleItem("meeting", "demo", { status: "completed" }),
  ],
  "message.feedback_negative": [sampleItem("message_feedback", "thumb", { rating: "negative" })],
  "message.feedback_positive": [sampleItem("message_feedback", "thumb", { rating: "positive" })],
  "agent.tool_failed": [sampleItem("tool_run", "run", { status: "failed", error: "No response." })],
  "agent.tool_executed": [sampleItem("tool_run", "run")],
  "usage.threshold_reached": [sampleItem("usage_record", "used", { quantity: 80_000 })],
};

const written = eventTypes.filter((type) => type !== "meeting.reminder");

test.each(written)("every event type has a source: %s", async (type) => {
  const platform = await createPlatform(api);
  const items = sources[type];
  expect((await platform.batch(items)).meta).toMatchObject({ count: items.length, failed: 0 });
  const events = await platform.events(); // It checks each against its schema.
  expect(events.filter((event) => event.type === type)).toHaveLength(1);
});

test("the table contains no unknown types", () => {
  expect(new Set(Object.keys(sources))).toEqual(new Set(written));
});
