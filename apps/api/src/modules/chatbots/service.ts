import { isUuid, type Transaction } from "@parley/database";
import type { OrganizationTransaction } from "../../records/rows.ts";

/** Thresholds that a transaction has read, by chatbot, so that the items of a batch read each once. */
const thresholds = new WeakMap<Transaction, Map<string, number>>();

/**
 * Returns the score from which a lead of the chatbot is qualified, 0 to 100; null if the organization has no such chatbot.
 */
export async function qualificationThreshold(
  { tx, organizationId }: OrganizationTransaction,
  chatbotId: string,
): Promise<number | null> {
  if (!isUuid(chatbotId)) return null;
  const known = thresholds.get(tx) ?? new Map<string, number>();
  thresholds.set(tx, known);
  const threshold = known.get(chatbotId);
  if (threshold !== undefined) return threshold;
  const where = { id: chatbotId, organizationId };
  const chatbot = await tx.chatbot.findFirst({ where, select: { qualificationThreshold: true } });
  if (chatbot) known.set(chatbotId, chatbot.qualificationThreshold);
  return chatbot?.qualificationThreshold ?? null;
}

/** Makes the transaction read the thresholds again, after one has changed. */
export function forgetThresholds({ tx }: OrganizationTransaction): void {
  thresholds.delete(tx);
}
