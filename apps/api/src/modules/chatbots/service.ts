import { isUuid } from "@parley/database";
import { perTransaction } from "../../records/per-transaction.ts";
import type { OrganizationTransaction } from "../../records/rows.ts";

/** Thresholds that a transaction has read, by chatbot, so that the items of a batch read each once. */
const thresholds = perTransaction<number>();

/**
 * Returns the score from which a lead of the chatbot is qualified, 0 to 100; null if the organization has no such chatbot.
 */
export async function qualificationThreshold(
  { tx, organizationId }: OrganizationTransaction,
  chatbotId: string,
): Promise<number | null> {
  if (!isUuid(chatbotId)) return null;
  const known = thresholds(tx);
  const threshold = known.get(chatbotId);
  if (threshold !== undefined) return threshold;
  const where = { id: chatbotId, organizationId };
  const chatbot = await tx.chatbot.findFirst({ where, select: { qualificationThreshold: true } });
  if (chatbot) known.set(chatbotId, chatbot.qualificationThreshold);
  return chatbot?.qualificationThreshold ?? null;
}

/** Makes the transaction read the thresholds again, after one has changed. */
export function forgetThresholds({ tx }: OrganizationTransaction): void {
  thresholds(tx).clear();
}
