import type { Schemas } from "@parley/contract";
import type { Chatbot } from "@parley/database";

/** Converts a row to the chatbot of the API. `label` and `value` are for dropdown controls. */
export function chatbotResource(row: Chatbot): Schemas["Chatbot"] {
  return {
    id: row.id,
    type: "chatbot",
    attributes: {
      name: row.name,
      description: row.description,
      model: row.model,
      status: row.status as Schemas["ChatbotStatus"],
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    },
    label: row.name,
    value: row.id,
  };
}
