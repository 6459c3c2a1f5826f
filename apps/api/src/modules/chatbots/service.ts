import { type Database, isUuid } from "@parley/database";

/**
 * Returns the score from which a lead of the chatbot is qualified, 0 to 100; null if the organization has no such chatbot.
 */
export async function qualificationThreshold(
  db: Pick<Database, "chatbot">,
  organizationId: string,
  chatbotId: string,
): Promise<number | null> {
  if (!isUuid(chatbotId)) return null;
  const chatbot = await db.chatbot.findFirst({
    where: { id: chatbotId, organizationId },
    select: { qualificationThreshold: true },
  });
  return chatbot?.qualificationThreshold ?? null;
}
