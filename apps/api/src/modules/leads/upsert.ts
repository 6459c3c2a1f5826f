import type { Schemas } from "@parley/contract";
import type { Lead } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { resolveReference } from "../../records/rows.ts";
import { requireSame, type Written } from "../../records/written.ts";
import { createLead, updateLead } from "./service.ts";

/**
 * Creates the lead of the platform's own id, or brings it to the state that is given, with the events of either.
 *
 * @throws ApiError 400 when the organization has no such chatbot, or the lead is another one's
 */
export async function upsertLead(
  change: Change,
  externalId: string,
  { chatbot_external_id, ...state }: Schemas["PlatformLead"],
): Promise<Written<Lead>> {
  const { tx, organizationId } = change;
  const field = "body/chatbot_external_id";
  const chatbotId = await resolveReference(change, "chatbots", chatbot_external_id, field);
  const there = await tx.lead.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
    select: { id: true, chatbotId: true },
  });
  if (!there) {
    const row = await createLead(change, { ...state, chatbot_id: chatbotId, externalId });
    return { row, result: "created" };
  }
  requireSame(chatbotId, there.chatbotId, field);
  return updateLead(change, there.id, state);
}
