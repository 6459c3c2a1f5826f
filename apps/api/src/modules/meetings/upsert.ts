import type { Schemas } from "@parley/contract";
import type { Meeting } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { resolveReference } from "../../records/rows.ts";
import type { Written } from "../../records/written.ts";
import { createMeeting, updateMeeting } from "./service.ts";

/**
 * Schedules the meeting of the platform's own id, or brings it to the state that is given, with the events of either.
 *
 * @throws ApiError 400 when it names a chatbot or lead that the organization has not, or times that cannot be
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
  const there = await tx.meeting.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
    select: { id: true },
  });
  if (there) return updateMeeting(change, there.id, state, references);
  return { row: await createMeeting(change, externalId, state, references), result: "created" };
}
