import type { Schemas } from "@parley/contract";
import { type Conversation, timeOfChange } from "@parley/database";
import { conversationResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { ApiError, invalidField } from "../../http/api-error.ts";
import { lockRecord } from "../../records/rows.ts";
import { differences, given, type Written } from "../../records/written.ts";

/** What may be said of a conversation. */
interface ConversationState {
  /** A lead of the organization. */
  leadId?: string | null | undefined;
  channel?: string | undefined;
  visitor?: Schemas["PersonInput"] | undefined;
  status?: Schemas["ConversationStatus"] | undefined;
}

/**
 * Publishes `conversation.started`, and `conversation.ended` for one that is over already.
 *
 * @param conversation.chatbotId a chatbot of the organization
 * @param conversation.externalId the platform's own id, where the conversation comes from there
 */
export async function startConversation(
  { tx, organizationId, now, publish }: Change,
  {
    chatbotId,
    externalId = null,
    status = "open",
    ...state
  }: ConversationState & { chatbotId: string; externalId?: string | null },
): Promise<Conversation> {
  const started = {
    organizationId,
    externalId,
    chatbotId,
    ...columnsOf(state),
    startedAt: now,
    updatedAt: now,
  };
  const open = await tx.conversation.create({ data: started });
  publish({ type: "conversation.started", chatbotId, data: conversationResource(open) });
  if (status === "open") return open;
  const endedAt = await timeOfChange(tx, now, now);
  const over = await tx.conversation.update({
    where: { id: open.id, organizationId },
    data: { status, endedAt, updatedAt: endedAt },
  });
  publish({ type: "conversation.ended", chatbotId, data: conversationResource(over) });
  return over;
}

/**
 * Changes what `state` names, under a row lock. Publishes `conversation.ended` when it ended.
 *
 * @throws ApiError 404 when the organization has no such conversation; 400 for opening one that has ended
 */
export async function updateConversation(
  change: Change,
  id: string,
  state: ConversationState,
): Promise<Written<Conversation>> {
  const { tx, organizationId, publish } = change;
  const before = await lockRecord(change, "conversations", id);
  const columns = differences({ ...columnsOf(state), status: state.status }, before);
  if (Object.keys(columns).length === 0) return { row: before, result: "unchanged" };
  if (columns.status === "open") throw hasEnded("body/status");

  const now = await timeOfChange(tx, change.now, before.updatedAt);
  const ended = columns.status === "ended";
  const after = await tx.conversation.update({
    where: { id, organizationId },
    data: { ...columns, ...(ended && { endedAt: now }), updatedAt: now },
  });
  const { chatbotId } = after;
  if (ended) publish({ type: "conversation.ended", chatbotId, data: conversationResource(after) });
  return { row: after, result: "updated" };
}

/**
 * 400 for what only an open conversation allows.
 *
 * @param field path into the body that asks for it; the path of the request where it is left out
 */
export function hasEnded(field?: string): ApiError {
  const words = "conversation has ended; start another one";
  return field
    ? invalidField(field, `cannot be taken: the ${words}`)
    : new ApiError(400, "invalid_request", `The ${words}.`);
}

/** Columns of the members that are given; null empties one. */
function columnsOf({ leadId, channel, visitor }: ConversationState) {
  return given({
    leadId,
    channel,
    visitorName: visitor?.name,
    visitorEmail: visitor?.email,
  });
}
