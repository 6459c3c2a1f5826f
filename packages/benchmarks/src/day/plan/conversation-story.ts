import type { Item } from "../model/model.ts";
import { leadThread } from "./lead-thread.ts";
import { meetingThread } from "./meeting-thread.ts";
import { messageThread } from "./message-thread.ts";
import { type Aside, item, weave } from "./step.ts";
import { type Subject, timeAt } from "./subject.ts";
import { ticketThread } from "./ticket-thread.ts";
import { person } from "./words.ts";

/** All that happens with one visitor, in its order. */
export function conversationStory(subject: Subject): Item[] {
  const { random, id, chatbot } = subject;
  const conversation = `chat-${id}`;
  const at = { chatbot_external_id: chatbot };
  const begin = item("conversation", conversation, {
    ...at,
    ...(random.chance(0.5) && { visitor: person(random) }),
    ...(random.chance(0.3) && { channel: random.pick(["whatsapp", "widget", "email"]) }),
    ...(random.chance(0.2) && { status: "open" }),
  });
  if (random.chance(0.02)) return [{ ...begin, attributes: { ...at, status: "ended" } } as Item]; // Told afterwards.
  const { messages, asides } = messageThread(subject);
  const main = [begin, ...messages];
  if (random.chance(0.85)) main.push(item("conversation", conversation, { ...at, status: "ended" }));
  if (random.chance(0.2)) main.push(...usage(subject));
  return weave(random, main, [...asides, ...business(subject)]);
}

/** The messages of this and some other conversations together, sometimes corrected. It belongs to no chatbot. */
function usage(subject: Subject): Item[] {
  const { random, id } = subject;
  const occurred_at = timeAt(subject, 0);
  const record = (quantity: number) =>
    item("usage_record", `usage-${id}`, { metric: "messages", quantity, occurred_at });
  const quantity = random.integer(10, 30);
  return random.chance(0.05) ? [record(quantity), record(quantity + 1)] : [record(quantity)];
}

/** What comes of the conversation: a lead, a ticket, a meeting. */
function business(subject: Subject): Aside[] {
  const { random, id } = subject;
  const after = random.integer(1, 3);
  const isLead = random.chance(0.25);
  const lead = isLead ? `lead-${id}` : null;
  const asides: Aside[] = [];
  if (random.chance(0.12)) asides.push({ after, items: ticketThread(subject, lead) });
  if (random.chance(isLead ? 0.3 : 0.03)) asides.push({ after, items: meetingThread(subject, lead) });
  if (!isLead) return asides;
  // The lead comes before what names it.
  return [{ after, items: weave(random, leadThread(subject), asides) }];
}
