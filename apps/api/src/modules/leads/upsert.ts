import type { Schemas } from "@parley/contract";
import type { Lead } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { resolveReference } from "../../records/rows.ts";
import { requireSame, type Written } from "../../records/written.ts";
import { qualificationThreshold } from "../chatbots/service.ts";
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
    select: { id: true, chatbotId: true, status: true },
  });
  if (!there) {
    const row = await createLead(change, { ...state, chatbot_id: chatbotId, externalId });
    return { row, result: "created" };
  }
  requireSame(chatbotId, there.chatbotId, field);
  // As for a new lead. Otherwise the repetition of an item that qualified a lead would take that back.
  const isQualified = there.status !== "new" && (await isQualifiedByScore(change, chatbotId, state));
  return updateLead(change, there.id, isQualified ? { ...state, status: "qualified" } : state);
}

/** Whether the status `new` is given with a score that qualifies a lead. */
async function isQualifiedByScore(
  { tx, organizationId }: Change,
  chatbotId: string,
  { status, score }: Pick<Schemas["PlatformLead"], "status" | "score">,
): Promise<boolean> {
  if (status !== "new" || score === undefined) return false;
  const threshold = await qualificationThreshold(tx, organizationId, chatbotId);
  return threshold !== null && score >= threshold;
}
