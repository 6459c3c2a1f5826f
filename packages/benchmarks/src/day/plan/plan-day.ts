import { createRandom } from "../../harness/random.ts";
import type { DayEvent } from "../describe.ts";
import { type Item, Model } from "../model/model.ts";
import { reachThresholds, remind } from "../model/worker.ts";
import { write } from "../model/write.ts";
import { chatbotChanges, chatbotItems } from "./chatbots.ts";
import { eveningItems } from "./evening.ts";
import { interleave } from "./interleave.ts";
import { soonest } from "./meeting-thread.ts";
import type { PlannedRequest } from "./request.ts";
import { planSender } from "./sender.ts";
import type { Step } from "./step.ts";
import { tellStory } from "./story.ts";
import { usageHistory } from "./usage-history.ts";

export interface DayOptions {
  seed: number;
  conversations: number;
  /** When the day begins; ms since 1970. */
  startedAt: number;
  /** Messages a month that the organization's plan includes. */
  allowance: number;
}

/** Everything that will be written, and every event that has to come of it. */
export interface DayPlan {
  /** Before anybody talks. */
  morning: PlannedRequest;
  /** What each sender writes, in its order; they go side by side. */
  senders: PlannedRequest[][];
  /** After the first reminders were sent. */
  evening: PlannedRequest;
  /** Until then the meetings that are due for a reminder are known; ms since 1970. */
  remindBefore: number;
  /** The events of each part; the worker reminds of meetings after the day and after the evening. */
  expected: Record<"day" | "reminders" | "evening" | "laterReminders", DayEvent[]>;
}

const senderCount = 8;

/** The same day comes out of the same options. The server has no part in it: events follow from the model alone. */
export function planDay({ seed, conversations, startedAt, allowance }: DayOptions): DayPlan {
  const random = createRandom(seed);
  const model = new Model();
  const since = () => model.events.splice(0);
  const morning = batch(model, chatbotItems);

  const stories = Array.from({ length: conversations }, (_, i) => tellStory(seed, i + 1, startedAt));
  const history = usageHistory(startedAt, allowance);
  stories.unshift(asSteps(history), asSteps(chatbotChanges));
  const senders = Array.from({ length: senderCount }, (_, sender) => {
    const own = stories.filter((_story, index) => index % senderCount === sender);
    return planSender(random, model, interleave(random, own));
  });
  reachThresholds(model, allowance);
  const day = since();
  remind(model, startedAt);
  const reminders = since();

  const [untilToday] = history;
  if (!untilToday) throw new Error("the month has no history");
  const evening = batch(model, eveningItems(model, startedAt, untilToday));
  const eveningEvents = since();
  remind(model, startedAt);
  const expected = { day, reminders, evening: eveningEvents, laterReminders: since() };
  return { morning, senders, evening, remindBefore: startedAt + soonest, expected };
}

function asSteps(items: Item[]): Step[] {
  return items.map((item) => ({ item, bad: false }));
}

function batch(model: Model, items: Item[]): PlannedRequest {
  const results = items.map((item) => write(model, item));
  return { put: false, items, results, twice: false };
}
