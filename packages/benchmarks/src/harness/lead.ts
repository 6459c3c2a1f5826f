import { randomUUIDv7 } from "node:crypto";
import type { EventOf } from "@parley/contract";
import { events } from "@parley/contract/events";

type LeadCreated = EventOf<"lead.created">;

const example = events.find(({ type }) => type === "lead.created")?.sample as unknown as LeadCreated;
const needs =
  "Answers on the website at night and on weekends; hand-over to the support desk by email. ".repeat(4);

/** Returns a new lead: that of the contract's example, with other ids and longer answers. */
export function createdLead(
  number: number,
  chatbot_id: string = randomUUIDv7(),
  id: string = randomUUIDv7(),
): LeadCreated["data"] {
  const { attributes } = example.data;
  return {
    ...example.data,
    id,
    attributes: {
      ...attributes,
      chatbot_id,
      score: number % 101,
      qualification: { ...attributes.qualification, needs },
    },
  };
}

/** Returns the body of a `lead.created` webhook as Parley writes it, about 1 kB. @param leadId default: a new one */
export function leadCreatedBody(eventId: string, number: number, leadId?: string): string {
  const data = createdLead(number, undefined, leadId);
  return JSON.stringify({ ...example, id: eventId, chatbot_id: data.attributes.chatbot_id, data });
}
