import type { Schemas } from "@parley/contract";
import { change, isEmpty, nobody, type Person } from "./change.ts";
import { type Attributes, type Kept, nameOf, type Result, type World } from "./world.ts";

export interface Meeting extends Kept {
  attributes: {
    title: string;
    status: Schemas["MeetingStatus"];
    starts_at: string;
    ends_at: string;
    timezone: string;
    location: string | null;
    attendees: Person[];
  };
  /** The start that was reminded of. */
  remindedOf: string | null;
}

/** A new status is told, and so is another time of a meeting that will take place; what was before is told of that. */
export function writeMeeting(world: World, id: string, given: Attributes<"meeting">): Result {
  const { chatbot_external_id, lead_external_id, attendees, ...rest } = given;
  const references = {
    chatbot_id: world.reference("chatbot", chatbot_external_id),
    lead_id: world.reference("lead", lead_external_id),
  };
  const state = {
    ...rest,
    starts_at: new Date(given.starts_at).toISOString(),
    ends_at: new Date(given.ends_at).toISOString(),
    ...(attendees && { attendees: attendees.map((person) => ({ ...nobody, ...person })) }),
  };
  const name = nameOf("meeting", id);
  const there = world.find("meeting", id);
  if (!there) {
    const meeting: Meeting = {
      attributes: { status: "scheduled", location: null, attendees: [], ...state },
      references: { chatbot_id: null, lead_id: null },
      remindedOf: null,
    };
    change(meeting.references, references);
    world.keep("meeting", id, meeting);
    world.publish(`meeting.${meeting.attributes.status}`, name, meeting);
    return "created";
  }

  const { attributes } = there;
  const previous = { ...change(attributes, state), ...change(there.references, references) };
  if (isEmpty(previous)) return "unchanged";
  const retimed = "status" in previous || "starts_at" in previous || "ends_at" in previous;
  if (retimed && attributes.status === "scheduled") world.publish("meeting.scheduled", name, there, previous);
  else if ("status" in previous) world.publish(`meeting.${attributes.status}`, name, there);
  return "updated";
}

/** What the worker does by itself: it reminds of each meeting that will start within the hour, once for a start. */
export function remind(world: World, now: number): void {
  for (const [name, meeting] of world.all("meeting")) {
    const { status, starts_at } = meeting.attributes;
    const ahead = Date.parse(starts_at) - now;
    if (status !== "scheduled" || ahead <= 0 || ahead > 3_600_000 || meeting.remindedOf === starts_at)
      continue;
    meeting.remindedOf = starts_at;
    world.publish("meeting.reminder", name, meeting);
  }
}
