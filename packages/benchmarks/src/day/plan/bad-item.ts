import type { Random } from "../../harness/random.ts";
import type { Attributes, Item, ItemType } from "../model/model.ts";
import type { Subject } from "./subject.ts";

/**
 * An item that has to be refused, whatever of the conversation was written so far and however often it is sent.
 *
 * @param earlier items of the same conversation
 */
export function badItem(subject: Subject, earlier: Item[], number: number): unknown {
  const { random } = subject;
  const bad = [
    ...malformed(subject, number),
    ...strangers(subject, number),
    ...contradictions(random, earlier),
  ];
  return random.pick(bad);
}

/** What the contract's schemas do not let through. */
function malformed({ chatbot, id }: Subject, number: number): unknown[] {
  const external_id = `bad-${id}-${number}`;
  const at = { chatbot_external_id: chatbot };
  return [
    null,
    [],
    "a lead",
    { type: "lightbulb", external_id, attributes: {} },
    { type: "lead", attributes: at },
    { type: "lead", external_id: "x".repeat(201), attributes: at },
    { type: "lead", external_id, attributes: { ...at, score: 101 } },
    { type: "lead", external_id, attributes: { ...at, score: "82" } },
    { type: "lead", external_id, attributes: { ...at, contact: { email: "nobody" } } },
    { type: "lead", external_id, attributes: { ...at, source: "a\0b" } },
    { type: "conversation", external_id, attributes: { ...at, mood: "bad" } },
    { type: "conversation", external_id, attributes: {} },
    { type: "ticket", external_id, attributes: { subject: "Help", status: "lost" } },
    { type: "meeting", external_id, attributes: meeting("2026-02-30T10:00:00Z", "2026-03-01T10:00:00Z") },
    { type: "meeting", external_id, attributes: meeting("2026-03-05T14:00:00Z", "2026-03-05T13:59:59Z") },
    {
      type: "meeting",
      external_id,
      attributes: { ...meeting("2026-03-05T14:00:00Z", "2026-03-05T14:30:00Z"), timezone: "Mars/Olympus" },
    },
    { type: "usage_record", external_id, attributes: { metric: "messages", quantity: -1 } },
  ];
}

function meeting(starts_at: string, ends_at: string) {
  return { title: "Demo", timezone: "Europe/Vienna", starts_at, ends_at };
}

/** What names records that are not there. */
function strangers({ chatbot, id }: Subject, number: number): unknown[] {
  const external_id = `bad-${id}-${number}`;
  const at = { chatbot_external_id: chatbot };
  const nobody = "nobody-of-that-name";
  return [
    { type: "lead", external_id, attributes: { chatbot_external_id: nobody } },
    { type: "conversation", external_id, attributes: { ...at, lead_external_id: nobody } },
    {
      type: "message",
      external_id,
      attributes: { conversation_external_id: nobody, role: "visitor", text: "Hi" },
    },
    { type: "ticket", external_id, attributes: { subject: "Help", conversation_external_id: nobody } },
    {
      type: "message_feedback",
      external_id,
      attributes: { message_external_id: nobody, rating: "positive" },
    },
  ];
}

/** What says something else of a record than what is fixed. */
function contradictions(random: Random, earlier: Item[]): unknown[] {
  const bad: unknown[] = [];
  function contradict<Type extends ItemType>(type: Type, change: (given: Attributes<Type>) => object): void {
    const told = earlier.filter((one) => one.type === type);
    if (told.length === 0) return;
    const { external_id, attributes } = random.pick(told);
    bad.push({ type, external_id, attributes: change(attributes as Attributes<Type>) });
  }

  contradict("lead", (given) => ({ ...given, chatbot_external_id: "other-bot" }));
  contradict("conversation", (given) => ({ ...given, chatbot_external_id: "other-bot" }));
  contradict("message", (given) => ({ ...given, text: `${given.text} Or so.` }));
  contradict("tool_run", (given) => ({ ...given, duration_ms: given.duration_ms + 1 }));
  contradict("usage_record", (given) => ({ ...given, occurred_at: "2001-01-01T00:00:00Z" }));
  const ended = earlier.find((one) => one.type === "conversation" && one.attributes.status === "ended");
  if (ended) {
    const late = { conversation_external_id: ended.external_id, role: "visitor", text: "One more thing" };
    bad.push({ type: "message", external_id: `${ended.external_id}/late`, attributes: late });
    bad.push({ ...ended, attributes: { ...ended.attributes, status: "open" } });
  }
  return bad;
}
