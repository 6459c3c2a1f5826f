import { createRandom } from "../harness/random.ts";
import { bookingBot, planConversation, soonestMeeting } from "./conversation.ts";
import { type Attributes, type Item, item } from "./item.ts";
import { Model } from "./model.ts";
import { refusedItem } from "./refused-items.ts";
import { planBatch, planRequests, type Step } from "./requests.ts";

export interface DayOptions {
  seed: number;
  conversations: number;
  /** Beginning of the day; ms since 1970. */
  startedAt: number;
  /** Messages a month that the organization's plan includes. */
  allowance: number;
}

const senderCount = 8;

/**
 * Returns everything that the platform writes, and every event that must follow. It uses only the model, not the server, and
 * returns the same for the same options.
 */
export function planDay({ seed, conversations, startedAt, allowance }: DayOptions) {
  const random = createRandom(seed);
  const model = new Model();
  const chatbots = planBatch(model, chatbotItems);
  const unknownElsewhere = planConversation(createRandom(seed), 1, startedAt)
    .map((timed) => timed.item)
    .filter((one) => new Model().write(one) === "failed");
  const history = usageHistory(startedAt, allowance);
  const sequences: (Step & { at: number })[][] = [history, chatbotChanges].map((items) =>
    items.map((one, at) => ({ at, item: one, refused: false })),
  );
  for (let number = 1; number <= conversations; number += 1) {
    sequences.push(conversationSteps(seed, number, startedAt));
  }
  const senders = Array.from({ length: senderCount }, (_, sender) => {
    const own = sequences.filter((_sequence, index) => index % senderCount === sender);
    // Each conversation keeps its order while some dozens take place at once.
    const steps = own.flatMap((sequence, index) =>
      sequence.map((step) => ({ ...step, at: index + 4 * step.at })),
    );
    steps.sort((a, b) => a.at - b.at);
    return planRequests(random, model, steps);
  });
  model.reachThresholds(allowance);
  const day = model.takeEvents();
  model.remind(startedAt);
  const reminders = model.takeEvents();
  const changes = planBatch(model, [...meetingChanges(model, startedAt), ...correctedUsage(history)]);
  const changeEvents = model.takeEvents();
  model.remind(startedAt);
  return {
    /** Written before the subscriptions are created. */
    chatbots,
    /** The requests of each sender in their order. Senders write concurrently. */
    senders,
    /** Written after the first reminders were sent. */
    changes,
    /** Another organization refers to records of the first one, which do not exist for it. */
    otherOrganization: planBatch(new Model(), unknownElsewhere),
    /** Until this time the meetings that need a reminder are known; ms since 1970. */
    remindBefore: startedAt + soonestMeeting,
    /** The events of each part, and of the worker's reminders after it. */
    expected: { day, reminders, changes: changeEvents, laterReminders: model.takeEvents() },
  };
}

/** Returns a conversation's items in their order, some of them twice, and among them some that must be refused. */
function conversationSteps(seed: number, number: number, startedAt: number): (Step & { at: number })[] {
  const random = createRandom(seed * 1_000_003 + number);
  const items = planConversation(random, number, startedAt).sort((a, b) => a.at - b.at);
  return items.flatMap((timed, index) => {
    const step = { ...timed, refused: false };
    const steps = random.chance(0.02) ? [step, step] : [step];
    if (random.chance(0.99)) return steps;
    const earlier = items.slice(0, index + 1).map((one) => one.item);
    return [...steps, { at: timed.at, item: refusedItem(random, earlier), refused: true }];
  });
}

const model = "parley-small";
const chatbotItems = [
  item("chatbot", "sales-bot", { name: "Sales", model }),
  item("chatbot", "support-bot", { name: "Support", model, qualification_threshold: 50 }),
  item("chatbot", bookingBot, { name: "Booking", model, qualification_threshold: 40 }),
  item("chatbot", "eager bot/ß", { name: "Eager", model, qualification_threshold: 0 }),
  item("chatbot", "other-bot", { name: "Other", model, status: "training" }),
];

/** Changes of a chatbot publish no event. */
const chatbotChanges = Array.from({ length: 20 }, (_, i) => {
  const [status, description] = [
    i % 2 === 0 ? "inactive" : "active",
    `Version ${Math.floor(i / 3)}`,
  ] as const;
  return item("chatbot", "support-bot", { name: "Support", model, status, description });
});

/**
 * Usage before the day: three quarters of this month's allowance, so that the day reaches both thresholds; 85 % of last
 * month's in three parts; and 120 % of the month before at once.
 */
function usageHistory(startedAt: number, allowance: number): Item[] {
  const now = new Date(startedAt);
  const shares = [
    [0, 0.75],
    [1, 0.5],
    [1, 0.29],
    [1, 0.06],
    [2, 1.2],
  ] as const;
  return shares.map(([monthsAgo, share], index) => {
    const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo);
    const quantity = Math.round(allowance * share);
    const occurred_at = new Date(month).toISOString();
    return item("usage_record", `history ${index}`, { metric: "messages", quantity, occurred_at });
  });
}

/** Corrects this month's usage down and up again: a threshold is not reached a second time. */
function correctedUsage([untilToday]: Item[]): Item[] {
  if (!untilToday) return [];
  return [{ ...untilToday, attributes: { ...untilToday.attributes, quantity: 0 } } as Item, untilToday];
}

/** Of the meetings with a reminder, moves some within the hour (they need another one), cancels some, and renames some. */
function meetingChanges(model: Model, startedAt: number): Item[] {
  const reminded = model.all("meeting").filter(({ remindedOf }) => remindedOf !== undefined);
  return reminded.slice(0, 12).map(({ name, values }, index) => {
    const { title, starts_at, ends_at, timezone } = values as unknown as Attributes<"meeting">;
    const [start, end] = [58, 73].map((minutes) => new Date(startedAt + minutes * 60_000).toISOString());
    const changes = [{ starts_at: start, ends_at: end }, { status: "cancelled" }, { title: "Another title" }];
    const attributes = { title, starts_at, ends_at, timezone, ...changes[index % changes.length] };
    return item("meeting", name.slice("meeting/".length), attributes as Attributes<"meeting">);
  });
}
