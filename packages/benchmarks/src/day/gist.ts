import { type DayEvent, describe, type References, type Resource } from "./describe.ts";
import { nameOf } from "./model/model.ts";

/** What is kept of a delivery. Ids are still Parley's own. */
export interface Gist extends DayEvent {
  /** Path to which it was delivered: each subscription has one of its own. */
  path: string;
  eventId: string;
}

interface ReceivedEvent {
  id: string;
  type: DayEvent["type"];
  chatbot_id: string | null;
  data: { id: string; type: string; attributes: object };
  previous_attributes?: object;
}

/** Brings a webhook's body to the form in which it is compared. */
export function gistOf(path: string, event: object): Gist {
  const { id, type, chatbot_id, data, previous_attributes } = event as ReceivedEvent;
  const { attributes } = data;
  const references = Object.entries(attributes).filter(([name]) => name.endsWith("_id"));
  return {
    path,
    eventId: id,
    type,
    chatbot: chatbot_id,
    // The platform never learns the id of a month's usage.
    record:
      "period_start" in attributes
        ? nameOf("usage", String(attributes.period_start))
        : nameOf(data.type, data.id),
    content: describe(
      data.type as Resource,
      attributes,
      Object.fromEntries(references) as References,
      previous_attributes,
    ),
  };
}
