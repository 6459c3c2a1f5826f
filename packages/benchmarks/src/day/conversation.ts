import type { Random } from "../harness/random.ts";
import { type Item, type ItemType, itemSchema, resolve, type Schema, type Values } from "./item.ts";

/** An item and its position in the conversation, from 0. */
interface TimedItem {
  at: number;
  item: Item;
}

const minute = 60_000;
const day = 24 * 60 * minute;
/** Milliseconds from the beginning of the day to the earliest meeting that is still to come. */
export const soonestMeeting = 40 * minute;

export const bookingBot = "booking-bot";
const chatbots = ["sales-bot", "sales-bot", "support-bot", bookingBot, "eager bot/ß"];
const texts = [
  "Where is Zoë's invoice?",
  'It says "unknown error" \\ and nothing else.',
  "<b>Merci</b>, das hilft mir sehr 👍",
  "Nguyễn & Söhne",
];

/** Returns everything that the platform writes for a visitor: a conversation, and sometimes a lead, a ticket, a meeting and usage. */
export function planConversation(random: Random, number: number, startedAt: number): TimedItem[] {
  const id = String(number).padStart(5, "0");
  const chat = `chat-${id}`;
  const lead = random.chance(0.25) ? `lead-${id}` : null;
  const ids = { chatbot: random.pick(chatbots), conversation: chat, lead };
  const bot = { chatbot_external_id: ids.chatbot };
  const items: TimedItem[] = [];

  /** Returns a value that conforms to the contract's schema. */
  function createValue(field: string, schema: Schema): unknown {
    if (field.endsWith("_external_id"))
      return ids[field.slice(0, -"_external_id".length) as keyof typeof ids];
    const {
      enum: values,
      oneOf: [first = {}] = [],
      properties,
      type = [],
      minimum = 0,
      maximum,
    } = resolve(schema);
    if (type.includes("null") && random.chance(0.1)) return null;
    if (values) return random.pick(values);
    if (properties) return createValues(properties, Object.keys(properties), 0.6);
    if (schema.oneOf) return random.chance(0.1) ? null : createValue(field, first);
    if (field === "email") return `visitor.${random.integer(1, 99_999)}@example.com`;
    if (type === "integer") return random.integer(minimum, Math.min(maximum ?? 100, 100));
    if (type === "array") return [{ name: random.pick(texts) }];
    if (type === "object") return { budget: random.integer(1, 9) };
    return random.chance(0.005) && field === "text" ? texts.join("\n").repeat(30) : random.pick(texts);
  }
  function createValues(properties: Record<string, Schema>, fields: string[], share: number): Values {
    const chosen = fields.filter(() => random.chance(share));
    return Object.fromEntries(chosen.map((field) => [field, createValue(field, properties[field] ?? {})]));
  }
  /** Adds states of one record: required attributes stay the same, optional ones are written or left out. */
  function write(
    type: ItemType,
    externalId: string,
    from: number,
    states: number,
    given?: () => Values,
  ): void {
    const { properties, required } = itemSchema(type);
    const optional = Object.keys(properties).filter((field) => !required.includes(field));
    const same = createValues(properties, required, 1);
    let at = from;
    for (let state = 0; state < states; state += 1) {
      const attributes: object = { ...same, ...createValues(properties, optional, 0.4), ...given?.() };
      items.push({ at, item: { type, external_id: externalId, attributes } as Item });
      at += random.integer(1, 20) / 10;
    }
  }
  function writeConversation(at: number, attributes: Values): void {
    items.push({
      at,
      item: { type: "conversation", external_id: chat, attributes: { ...bot, ...attributes } } as Item,
    });
  }
  const timeAt = (ms: number) => new Date(startedAt + ms).toISOString();

  const { channel, visitor } = itemSchema("conversation").properties;
  const isRecordedLater = random.chance(0.02);
  const begin = createValues({ channel, visitor } as Record<string, Schema>, ["channel", "visitor"], 0.4);
  writeConversation(0, isRecordedLater ? { status: "ended" } : begin);
  if (isRecordedLater) return items;
  const messages = random.integer(2, 5);
  for (let at = 1; at <= messages; at += 1) {
    const message = `${chat}/${at}`; // The slash must be percent-encoded in a path.
    const role = at % 2 === 1 ? "visitor" : random.pick(["chatbot", "agent"]);
    write("message", message, at, random.chance(0.06) ? 2 : 1, () => ({ role }));
    if (random.chance(0.1)) write("tool_run", `tool-${id}-${at}`, at + 0.5, 1);
    const rate = () => ({ message_external_id: message, rating: random.pick(["positive", "negative"]) });
    if (random.chance(0.08))
      write("message_feedback", `rating of ${message}`, at + 0.5, random.integer(1, 2), rate);
  }
  if (random.chance(0.85)) writeConversation(messages + 1, { status: "ended" });
  let quantity = random.integer(10, 30);
  const use = () => ({ metric: "messages", quantity: quantity++, occurred_at: timeAt(0) });
  if (random.chance(0.2)) write("usage_record", `usage-${id}`, messages + 1, random.integer(1, 2), use);

  const after = random.integer(1, 3) + 0.5;
  if (lead) {
    write("lead", lead, after, random.integer(1, 5));
    writeConversation(after + 0.05, { lead_external_id: lead });
  }
  if (random.chance(0.12)) write("ticket", `ticket-${id}`, after + 0.1, random.integer(1, 5));
  if (random.chance(lead ? 0.3 : 0.03)) {
    write("meeting", `meeting-${id}`, after + 0.1, random.integer(1, 4), () => {
      // A third is within the hour, so that the reminder is pending whenever the worker looks in the first minutes.
      const soon = soonestMeeting + random.integer(0, 15) * minute;
      const start = random.chance(0.33) ? soon : random.integer(-1, 20) * day + 2 * 60 * minute;
      return { timezone: "Europe/Vienna", starts_at: timeAt(start), ends_at: timeAt(start + 30 * minute) };
    });
  }
  return items;
}
