import { expect, test } from "vitest";
import { compareEvents, inNames } from "../src/day/compare.ts";
import type { DayEvent } from "../src/day/describe.ts";

// The day's proof is worth what its comparison notices.

const started = (record: string): DayEvent => ({
  type: "conversation.started",
  chatbot: "chatbot/sales-bot",
  record,
  content: "{}",
});
const received = (event: DayEvent, eventId: string) => ({ ...event, eventId, path: "/all" });
const one = started("conversation/1");
const two = started("conversation/2");

function counts(expected: DayEvent[], arrived: ReturnType<typeof received>[]) {
  const { types, differences } = compareEvents(expected, arrived);
  return { ...types.get("conversation.started"), differences };
}

test("what was expected and came is no difference, in whatever order", () => {
  const same = counts([one, two, one], [received(two, "a"), received(one, "b"), received(one, "c")]);
  expect(same).toEqual({
    expected: 3,
    received: 3,
    duplicates: 0,
    missing: 0,
    unexpected: 0,
    differences: [],
  });
});

test("an event that did not come is missing", () => {
  const lost = counts([one, two], [received(one, "a")]);
  expect(lost).toMatchObject({ missing: 1, unexpected: 0, duplicates: 0 });
  expect(lost.differences).toEqual([
    "missing: conversation.started of conversation/2 (chatbot/sales-bot): {}",
  ]);
});

test("an event that came twice is a duplicate, even in the place of one that is missing", () => {
  const twice = counts([one, one], [received(one, "a"), received(one, "a")]);
  expect(twice).toMatchObject({ duplicates: 1, missing: 1, unexpected: 0 });
});

test("an event too many, or with other content, is not expected", () => {
  expect(counts([one], [received(one, "a"), received(one, "b")])).toMatchObject({
    unexpected: 1,
    missing: 0,
  });
  const other = received({ ...one, content: '{"status":"ended"}' }, "a");
  expect(counts([one], [other])).toMatchObject({ unexpected: 1, missing: 1 });
  expect(counts([one], [received({ ...one, chatbot: null }, "a")])).toMatchObject({
    unexpected: 1,
    missing: 1,
  });
});

test("ids become the platform's names wherever they stand", () => {
  const [bot, chat] = ["01928c5e-7a10-7c44-8d21-0b6de2f0a001", "01928c5e-9a11-7b33-8c44-2d8f04b2cb33"];
  const names = new Map([
    [bot, "chatbot/sales-bot"],
    [chat, "conversation/1"],
  ]);
  const content = `{"chatbot_id":"${bot}"}`;
  const gist = received({ ...one, chatbot: bot, record: `conversation/${chat}`, content }, "a");
  expect(inNames(gist, names)).toEqual({
    ...received(one, "a"),
    content: '{"chatbot_id":"chatbot/sales-bot"}',
  });
});
