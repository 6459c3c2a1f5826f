import type { Schemas } from "@parley/contract";
import type { Ticket } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { resolveReference } from "../../records/rows.ts";
import type { Written } from "../../records/written.ts";
import { createTicket, updateTicket } from "./service.ts";

/**
 * Creates or updates the ticket with the external ID, and publishes the events.
 *
 * @throws ApiError 400 if the organization has no such chatbot, lead or conversation
 */
export async function upsertTicket(
  change: Change,
  externalId: string,
  { chatbot_external_id, lead_external_id, conversation_external_id, ...state }: Schemas["PlatformTicket"],
): Promise<Written<Ticket>> {
  const { tx, organizationId } = change;
  const chatbotField = "body/chatbot_external_id";
  const conversationField = "body/conversation_external_id";
  const references = {
    chatbotId: await resolveReference(change, "chatbots", chatbot_external_id, chatbotField),
    leadId: await resolveReference(change, "leads", lead_external_id, "body/lead_external_id"),
    conversationId: await resolveReference(
      change,
      "conversations",
      conversation_external_id,
      conversationField,
    ),
  };
  const existing = await tx.ticket.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
    select: { id: true },
  });
  if (existing) return updateTicket(change, existing.id, state, references);
  return { row: await createTicket(change, { ...state, externalId }, references), result: "created" };
}
