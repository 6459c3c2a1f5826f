import { createRandom } from "../../harness/random.ts";
import type { Item } from "../model/model.ts";
import { badItem } from "./bad-item.ts";
import { chatbots } from "./chatbots.ts";
import { conversationStory } from "./conversation-story.ts";
import type { Step } from "./step.ts";

/** The steps of one conversation in their order, some written twice and some that have to be refused among them. */
export function tellStory(seed: number, number: number, startedAt: number): Step[] {
  const random = createRandom(seed * 1_000_003 + number);
  const id = String(number).padStart(5, "0");
  const subject = { random, id, chatbot: random.pick(chatbots.withVisitors), startedAt };
  const steps: Step[] = [];
  const earlier: Item[] = [];
  for (const item of conversationStory(subject)) {
    earlier.push(item);
    steps.push({ item, bad: false });
    if (random.chance(0.02)) steps.push({ item, bad: false });
    if (random.chance(0.01)) steps.push({ item: badItem(subject, earlier, steps.length), bad: true });
  }
  return steps;
}
