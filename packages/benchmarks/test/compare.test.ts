import { expect, test } from "vitest";
import { compareEvents, eventText, type ReceivedEvent, withNames } from "../src/day/events.ts";

const type = "conversation.started" as const;
const expected = (text: string) => ({ type, chatbot: "chatbot/sales-bot", text });
const received = (text: string, id: string): ReceivedEvent => ({ id, type, text });

function counts(expectedTexts: string[], arrived: ReceivedEvent[]) {
  const { types, differences } = compareEvents(expectedTexts.map(expected), arrived);
  return { ...types.get(type), differences };
}

test("finds no difference between the same events in another order", () => {
  const arrived = [received("two", "a"), received("one", "b"), received("one", "c")];
  expect(counts(["one", "two", "one"], arrived)).toEqual({
    expected: 3,
    received: 3,
    duplicates: 0,
    missing: 0,
    unexpected: 0,
    differences: [],
  });
});

test("finds a missing event", () => {
  const lost = counts(["one", "two"], [received("one", "a")]);
  expect(lost).toMatchObject({ missing: 1, unexpected: 0, duplicates: 0 });
  expect(lost.differences).toEqual(["missing: two"]);
});

test("finds an event that arrived twice, even if an equal event is missing", () => {
  const twice = counts(["one", "one"], [received("one", "a"), received("one", "a")]);
  expect(twice).toMatchObject({ duplicates: 1, missing: 1, unexpected: 0 });
});

test("finds one event too many, and an event with another text", () => {
  const tooMany = counts(["one"], [received("one", "a"), received("one", "b")]);
  expect(tooMany).toMatchObject({ unexpected: 1, missing: 0 });
  expect(counts(["one"], [received("other", "a")])).toMatchObject({ unexpected: 1, missing: 1 });
});

const chat = "01928c5e-9a11-7b33-8c44-2d8f04b2cb33";
const bot = "01928c5e-7a10-7c44-8d21-0b6de2f0a001";
const body = {
  type,
  chatbot_id: bot,
  data: { id: chat, attributes: { chatbot_id: bot, status: "open", started_at: "2026-03-01T10:00:00.000Z" } },
};

test("describes an event without write times, and with names of records instead of IDs", () => {
  const names = new Map([
    [bot, "chatbot/sales-bot"],
    [chat, "conversation/1"],
  ]);
  expect(withNames(eventText(body), names)).toBe(
    'conversation.started of conversation/1 (chatbot/sales-bot): {"chatbot_id":"chatbot/sales-bot","status":"open"}',
  );
});

test.each([
  { ...body, chatbot_id: null },
  { ...body, data: { ...body.data, id: bot } },
  { ...body, data: { ...body.data, attributes: { ...body.data.attributes, status: "ended" } } },
  { ...body, previous_attributes: { status: "ended" } },
])("tells an event from another one: %j", (other) => {
  expect(eventText(other)).not.toBe(eventText(body));
});

test("writes that a time changed", () => {
  const resolved = { ...body, previous_attributes: { resolved_at: null } };
  expect(eventText(resolved)).not.toBe(eventText({ ...body, previous_attributes: {} }));
});
