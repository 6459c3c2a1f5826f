import type { Schemas } from "@parley/contract";
import type { Lead } from "@parley/database";

/** Converts a row to the lead of the API and its events. */
export function leadResource(row: Lead): Schemas["Lead"] {
  return {
    id: row.id,
    type: "lead",
    attributes: {
      contact: {
        name: row.contactName,
        email: row.contactEmail,
        phone: row.contactPhone,
        company: row.contactCompany,
      },
      chatbot_id: row.chatbotId,
      status: row.status as Schemas["LeadStatus"],
      score: row.score,
      qualification: row.qualification as Schemas["Lead"]["attributes"]["qualification"],
      source: row.source,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      qualified_at: row.qualifiedAt?.toISOString() ?? null,
      converted_at: row.convertedAt?.toISOString() ?? null,
    },
  };
}
