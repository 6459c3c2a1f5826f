import type { Schemas } from "@parley/contract";
import type { Lead } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { resolveReference } from "../../records/rows.ts";
import { requireSame, type Written } from "../../records/written.ts";
import { qualificationThreshold } from "../chatbots/service.ts";
import { createLead, updateLead } from "./service.ts";

/**
 * Creates or updates the lead with the external ID, and publishes the events.
 *
 * @throws ApiError 400 if the organization has no such chatbot, or the lead belongs to another chatbot
 */
export async function upsertLead(
  change: Change,
  externalId: string,
  { chatbot_external_id, ...state }: Schemas["PlatformLead"],
): Promise<Written<Lead>> {
  const { tx, organizationId } = change;
  const field = "body/chatbot_external_id";
  const chatbotId = await resolveReference(change, "chatbots", chatbot_external_id, field);
  const existing = await tx.lead.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
    select: { id: true, chatbotId: true },
  });
  if (!existing) {
    const row = await createLead(change, { ...state, chatbot_id: chatbotId, externalId });
    return { row, result: "created" };
  }
  requireSame(chatbotId, existing.chatbotId, field);
  return updateLead(change, existing.id, async (before) => {
    // Without this, repeating an item whose score qualified the lead would reset the status to `new`.
    const isQualified = before.status !== "new" && (await isQualifiedByScore(change, chatbotId, state));
    return isQualified ? { ...state, status: "qualified" } : state;
  });
}

/** Checks whether the status `new` comes with a score that qualifies the lead. */
async function isQualifiedByScore(
  change: Change,
  chatbotId: string,
  { status, score }: Pick<Schemas["PlatformLead"], "status" | "score">,
): Promise<boolean> {
  if (status !== "new" || score === undefined) return false;
  const threshold = await qualificationThreshold(change, chatbotId);
  return threshold !== null && score >= threshold;
}
