import type { RequestOf, Schemas } from "@parley/contract";
import { type Database, isUuid, type Ticket, timeOfChange } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { notFound } from "../../http/api-error.ts";
import { differences, given, previousAttributes } from "../../records/differences.ts";
import { lockRow, requireReference } from "../../records/rows.ts";
import { ticketResource } from "./resource.ts";

/** @throws ApiError 404 when the organization has no such ticket */
export async function findTicket(
  db: Pick<Database, "ticket">,
  organizationId: string,
  id: string,
): Promise<Ticket> {
  const ticket = isUuid(id) ? await db.ticket.findFirst({ where: { id, organizationId } }) : null;
  if (!ticket) throw notFound("ticket");
  return ticket;
}

/**
 * Publishes `ticket.created`.
 *
 * @throws ApiError 400 when chatbot, lead or conversation are not the organization's
 */
export async function createTicket(change: Change, body: RequestOf<"createTicket">["body"]): Promise<Ticket> {
  const { tx, organizationId, now, publish } = change;
  const { chatbot_id: chatbotId, lead_id: leadId, conversation_id: conversationId } = body;
  await requireReference(change, "chatbots", chatbotId, "body/chatbot_id");
  await requireReference(change, "leads", leadId, "body/lead_id");
  await requireReference(change, "conversations", conversationId, "body/conversation_id");
  const ticket = await tx.ticket.create({
    data: {
      organizationId,
      chatbotId,
      leadId,
      conversationId,
      subject: body.subject,
      description: body.description,
      priority: body.priority ?? "normal",
      ...requesterColumns(body.requester),
      createdAt: now,
      updatedAt: now,
    },
  });
  await publish({ type: "ticket.created", chatbotId, data: ticketResource(ticket) });
  return ticket;
}

/**
 * Changes what `changes` names, under a row lock. Publishes `ticket.updated`, and `ticket.resolved` when it was resolved;
 * nothing when nothing changes.
 *
 * @throws ApiError 404 when the organization has no such ticket
 */
export async function updateTicket(
  change: Change,
  id: string,
  changes: Schemas["TicketUpdate"],
): Promise<Ticket> {
  const { tx, organizationId, publish } = change;
  await lockRow(change, "tickets", id);
  const before = await findTicket(tx, organizationId, id);
  const { requester, subject, description, status, priority } = changes;
  const wanted = given({ ...requesterColumns(requester), subject, description, status, priority });
  const columns = differences(wanted as Partial<Ticket>, before);
  if (Object.keys(columns).length === 0) return before;

  const now = await timeOfChange(change.tx, change.now, before.updatedAt);
  const resolved = columns.status === "resolved";
  if (resolved) columns.resolvedAt = now;
  if (columns.status === "open" || columns.status === "pending") columns.resolvedAt = null;
  const after = await tx.ticket.update({
    where: { id, organizationId },
    data: { ...columns, updatedAt: now },
  });

  const data = ticketResource(after);
  const previous = previousAttributes(ticketResource(before).attributes, data.attributes);
  const event = { chatbotId: after.chatbotId, data };
  await publish({ ...event, type: "ticket.updated", previous_attributes: previous });
  if (resolved) await publish({ ...event, type: "ticket.resolved" });
  return after;
}

/** Columns of the members that are given; null empties one. */
function requesterColumns(requester: Schemas["PersonInput"] = {}): Partial<Ticket> {
  return given({ requesterName: requester.name, requesterEmail: requester.email }) as Partial<Ticket>;
}
