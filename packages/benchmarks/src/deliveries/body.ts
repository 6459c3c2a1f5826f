import { randomUUIDv7 } from "node:crypto";
import { apiVersion, type EventOf } from "@parley/contract";

/** The body of a `lead.created` webhook as Parley writes it, about 1 kB. */
export function leadCreatedBody(eventId: string, number: number): string {
  const data = createdLead(number);
  const event: EventOf<"lead.created"> = {
    id: eventId,
    type: "lead.created",
    api_version: apiVersion,
    created_at: data.attributes.created_at,
    chatbot_id: data.attributes.chatbot_id,
    data,
  };
  return JSON.stringify(event);
}

/** A lead as its `lead.created` holds it. */
export function createdLead(number: number): EventOf<"lead.created">["data"] {
  const now = new Date().toISOString();
  return {
    id: randomUUIDv7(),
    type: "lead",
    attributes: {
      contact: {
        name: `Zoë Novak ${number}`,
        email: `zoe.novak.${number}@example.com`,
        phone: "+44 20 7946 0123",
        company: "Novak & Söhne GmbH",
      },
      chatbot_id: randomUUIDv7(),
      status: "new",
      score: number % 101,
      qualification: {
        budget: "10,000 to 50,000 a year",
        timeline: "within three months",
        decision_maker: "yes, together with the head of sales",
        needs: "Answers on the website at night and on weekends; hand-over to the support desk by email.",
        current_tool: "a contact form and a shared mailbox that four people look after in turn",
        team_size: "12",
      },
      source: "https://www.example.com/pricing?utm_source=newsletter&utm_campaign=spring",
      created_at: now,
      updated_at: now,
      qualified_at: null,
      converted_at: null,
    },
  };
}
