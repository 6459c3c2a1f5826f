import type { Item } from "../model/model.ts";
import { item } from "./step.ts";
import { day, minute, type Subject, timeAt } from "./subject.ts";
import { person } from "./words.ts";

/** Milliseconds from the beginning of the day to the start of the first meeting that is still to come. */
export const soonest = 40 * minute;

/**
 * A meeting is booked, and some are moved, cancelled or completed. A third starts soon: within the hour, so that its
 * reminder is due whenever in the day's first minutes that is asked.
 */
export function meetingThread(subject: Subject, lead: string | null): Item[] {
  const { random, id, chatbot } = subject;
  const meeting = `meeting-${id}`;

  function soon(): number {
    return soonest + random.integer(0, 15) * minute;
  }
  function state(ms: number) {
    const [starts_at, ends_at] = [timeAt(subject, ms), timeAt(subject, ms + 30 * minute)];
    return { title: "Product demo", timezone: "Europe/Vienna", starts_at, ends_at };
  }
  function later(): number {
    return random.integer(1, 20) * day + random.integer(0, 47) * 30 * minute;
  }

  let at = random.chance(0.33) ? soon() : random.chance(0.15) ? -2 * 60 * minute : later();
  const items = [
    item("meeting", meeting, {
      ...state(at),
      attendees: [person(random)],
      ...(random.chance(0.9) && { chatbot_external_id: chatbot }),
      ...(lead !== null && { lead_external_id: lead }),
      ...(random.chance(0.05) && { status: random.pick(["cancelled", "completed"]) }),
    }),
  ];
  if (random.chance(0.25)) {
    at = random.chance(0.3) ? soon() : later();
    items.push(item("meeting", meeting, state(at)));
  }
  if (random.chance(0.2)) items.push(item("meeting", meeting, { ...state(at), location: "Room 7" }));
  if (random.chance(0.2)) items.push(item("meeting", meeting, { ...state(at), status: "cancelled" }));
  else if (at < 0) items.push(item("meeting", meeting, { ...state(at), status: "completed" }));
  if (random.chance(0.05)) items.push(item("meeting", meeting, { ...state(at), status: "scheduled" }));
  return items;
}
