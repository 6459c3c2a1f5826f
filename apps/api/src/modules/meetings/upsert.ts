import type { Schemas } from "@parley/contract";
import type { Meeting } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { resolveReference } from "../../records/rows.ts";
import type { Written } from "../../records/written.ts";
import { createMeeting, updateMeeting } from "./service.ts";

/**
 * Creates or updates the meeting with the external ID, and publishes the events.
 *
 * @throws ApiError 400 if the organization has no such chatbot or lead, the time zone is unknown, or the meeting ends before it
 *   starts
 */
export async function upsertMeeting(
  change: Change,
  externalId: string,
  { chatbot_external_id, lead_external_id, ...state }: Schemas["PlatformMeeting"],
): Promise<Written<Meeting>> {
  const { tx, organizationId } = change;
  const references = {
    chatbotId: await resolveReference(change, "chatbots", chatbot_external_id, "body/chatbot_external_id"),
    leadId: await resolveReference(change, "leads", lead_external_id, "body/lead_external_id"),
  };
  const existing = await tx.meeting.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
    select: { id: true },
  });
  if (existing) return updateMeeting(change, existing.id, state, references);
  return { row: await createMeeting(change, externalId, state, references), result: "created" };
}
