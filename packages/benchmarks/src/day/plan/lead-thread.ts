import type { Item } from "../model/model.ts";
import { item } from "./step.ts";
import type { Subject } from "./subject.ts";
import { person } from "./words.ts";

/** A lead is captured, its score rises and sometimes falls, and some become customers. */
export function leadThread({ random, id, chatbot }: Subject): Item[] {
  const lead = `lead-${id}`;
  const at = { chatbot_external_id: chatbot };
  let score = random.integer(0, 60);
  const items = [
    item("lead", lead, {
      ...at,
      contact: person(random),
      score,
      ...(random.chance(0.1) && { status: random.pick(["new", "qualified", "converted", "disqualified"]) }),
      ...(random.chance(0.5) && { source: "/pricing" }),
    }),
    item("conversation", `chat-${id}`, { ...at, lead_external_id: lead }),
  ];
  for (let changes = random.integer(0, 3); changes > 0; changes -= 1) {
    const rises = random.chance(0.85);
    score = Math.max(0, Math.min(100, score + random.integer(5, 35) * (rises ? 1 : -1)));
    const known = { ...(random.chance(0.3) && { qualification: { score } }) };
    items.push(item("lead", lead, { ...at, score, ...known, ...(random.chance(0.1) && { status: "new" }) }));
    if (random.chance(0.1)) items.push(item("lead", lead, { ...at, contact: { phone: "+44 20 7946 0123" } }));
  }
  if (random.chance(0.25)) items.push(item("lead", lead, { ...at, status: "converted" }));
  if (random.chance(0.05)) items.push(item("lead", lead, { ...at, status: "disqualified", source: null }));
  return items;
}
