import type { Database } from "@parley/database";

/** Creates a chatbot of an organization. */
export function createChatbot(db: Database, organizationId: string, name: string): Promise<{ id: string }> {
  return db.chatbot.create({
    data: { organizationId, name, model: "parley-small", qualificationThreshold: 70 },
  });
}
