import type { Schemas } from "@parley/contract";
import type { Meeting } from "@parley/database";

/** Converts a row to the meeting of the API and its events. */
export function meetingResource(row: Meeting): Schemas["Meeting"] {
  return {
    id: row.id,
    type: "meeting",
    attributes: {
      title: row.title,
      status: row.status as Schemas["MeetingStatus"],
      starts_at: row.startsAt.toISOString(),
      ends_at: row.endsAt.toISOString(),
      timezone: row.timezone,
      location: row.location,
      attendees: row.attendees as Pick<Schemas["Person"], "name" | "email">[],
      chatbot_id: row.chatbotId,
      lead_id: row.leadId,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    },
  };
}
