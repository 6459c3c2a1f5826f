import type { Item } from "../model/model.ts";
import { type Aside, item } from "./step.ts";
import type { Subject } from "./subject.ts";
import { text } from "./words.ts";

const moods = ["positive", "neutral", "negative"] as const;

/** Visitor and chatbot in turn; beside them tools are run, answers rated and moods judged afterwards. */
export function messageThread(subject: Subject): { messages: Item[]; asides: Aside[] } {
  const { random, id } = subject;
  const messages: Item[] = [];
  const asides: Aside[] = [];
  const count = random.integer(2, 5);
  for (let number = 1; number <= count; number += 1) {
    const role = number % 2 === 1 ? "visitor" : random.chance(0.9) ? "chatbot" : "agent";
    const message = `chat-${id}/${number}`; // The slash has to be encoded in an address.
    const said = { conversation_external_id: `chat-${id}`, role, text: text(random, role) } as const;
    const judged = random.chance(role === "visitor" ? 0.5 : 0.1);
    messages.push(item("message", message, { ...said, ...(judged && { sentiment: random.pick(moods) }) }));
    const after = number + 1;
    if (random.chance(0.06)) {
      const sentiment = random.chance(0.9) ? random.pick(moods) : null;
      asides.push({ after, items: [item("message", message, { ...said, sentiment })] });
    }
    if (role === "visitor" && random.chance(0.12)) asides.push({ after, items: [toolRun(subject, number)] });
    if (role !== "visitor" && random.chance(0.15)) asides.push({ after, items: feedback(subject, message) });
  }
  return { messages, asides };
}

function toolRun({ random, id, chatbot }: Subject, number: number): Item {
  const fails = random.chance(0.15);
  return item("tool_run", `tool-${id}-${number}`, {
    chatbot_external_id: chatbot,
    ...(random.chance(0.9) && { conversation_external_id: `chat-${id}` }),
    tool: random.pick(["look_up_invoice", "book_meeting", "search_catalogue"]),
    status: fails ? "failed" : "executed",
    ...(fails && { error: "The billing service did not answer." }),
    duration_ms: random.integer(3, 9_000),
  });
}

function feedback({ random }: Subject, message: string): Item[] {
  const rate = (attributes: object) =>
    item("message_feedback", `rating of ${message}`, {
      message_external_id: message,
      rating: random.chance(0.6) ? "positive" : "negative",
      ...attributes,
    });
  const items = [rate({})];
  if (random.chance(0.15)) items.push(rate({ comment: "That was not my question." }));
  return items;
}
