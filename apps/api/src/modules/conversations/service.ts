import type { Schemas } from "@parley/contract";
import { type Conversation, timeOfChange } from "@parley/database";
import { conversationResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { ApiError, invalidField } from "../../http/api-error.ts";
import { lockRecord } from "../../records/rows.ts";
import { differences, given, type Written } from "../../records/written.ts";

/** Fields of a conversation that can be set. */
interface ConversationState {
  /** ID of a lead of the organization. */
  leadId?: string | null | undefined;
  channel?: string | undefined;
  visitor?: Schemas["PersonInput"] | undefined;
  status?: Schemas["ConversationStatus"] | undefined;
}

/**
 * Creates a conversation. Publishes `conversation.started`, and also `conversation.ended` if its status is `ended`.
 *
 * @param conversation.chatbotId a chatbot of the organization
 * @param conversation.externalId the external ID, for conversations of the Platform API
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
  const ended = await tx.conversation.update({
    where: { id: open.id, organizationId },
    data: { status, endedAt, updatedAt: endedAt },
  });
  publish({ type: "conversation.ended", chatbotId, data: conversationResource(ended) });
  return ended;
}

/**
 * Updates the given fields under a row lock. Publishes `conversation.ended` if the status becomes `ended`.
 *
 * @throws ApiError 404 if the organization has no such conversation; 400 if the change would reopen an ended
 * conversation
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
  if (columns.status === "open") throw conversationEnded("body/status");

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
 * Returns the 400 for an operation that requires an open conversation.
 *
 * @param field field of the body that refers to the conversation; undefined if the conversation is in the path of the
 * URL
 */
export function conversationEnded(field?: string): ApiError {
  const reason = "conversation has ended. Start a new conversation.";
  return field
    ? invalidField(field, `is not allowed, because the ${reason}`)
    : new ApiError(400, "invalid_request", `The ${reason}`);
}

/** Returns the columns of the given fields. Null clears a column. */
function columnsOf({ leadId, channel, visitor }: ConversationState) {
  return given({
    leadId,
    channel,
    visitorName: visitor?.name,
    visitorEmail: visitor?.email,
  });
}
