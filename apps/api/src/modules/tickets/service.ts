import type { Schemas } from "@parley/contract";
import { type Prisma, type Ticket, timeOfChange } from "@parley/database";
import { ticketResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { lockRecord } from "../../records/rows.ts";
import { differences, given, previousAttributes, type Written } from "../../records/written.ts";

/** The records that a ticket belongs to; they must be the organization's. */
interface TicketReferences {
  chatbotId?: string | null | undefined;
  leadId?: string | null | undefined;
  conversationId?: string | null | undefined;
}

/** What a ticket is made of. */
type NewTicket = Schemas["TicketUpdate"] & {
  subject: string;
  /** The platform's own id, where the ticket comes from there. */
  externalId?: string | null;
};

/** Publishes `ticket.created`, and `ticket.resolved` for one that is resolved already. */
export async function createTicket(
  { tx, organizationId, now, publish }: Change,
  { subject, description, status = "open", priority = "normal", requester, externalId = null }: NewTicket,
  references: TicketReferences,
): Promise<Ticket> {
  const ticket = await tx.ticket.create({
    data: {
      organizationId,
      externalId,
      ...given(references),
      subject,
      ...given({ description }),
      status,
      priority,
      ...requesterColumns(requester),
      createdAt: now,
      updatedAt: now,
      resolvedAt: status === "resolved" ? now : null,
    },
  });
  const event = { chatbotId: ticket.chatbotId, data: ticketResource(ticket) };
  publish({ ...event, type: "ticket.created" });
  if (ticket.resolvedAt) publish({ ...event, type: "ticket.resolved" });
  return ticket;
}

/**
 * Changes what `changes` and `references` name, under a row lock. Publishes `ticket.updated`, and `ticket.resolved` when it
 * was resolved; nothing when nothing changes.
 *
 * @throws ApiError 404 when the organization has no such ticket
 */
export async function updateTicket(
  change: Change,
  id: string,
  changes: Schemas["TicketUpdate"],
  references: TicketReferences = {},
): Promise<Written<Ticket>> {
  const { tx, organizationId, publish } = change;
  const before = await lockRecord(change, "tickets", id);
  const { requester, subject, description, status, priority } = changes;
  const wanted = { ...requesterColumns(requester), subject, description, status, priority, ...references };
  const changed = differences(wanted, before);
  if (Object.keys(changed).length === 0) return { row: before, result: "unchanged" };

  const now = await timeOfChange(change.tx, change.now, before.updatedAt);
  const columns: Prisma.TicketUncheckedUpdateInput = { ...changed, updatedAt: now };
  const resolved = changed.status === "resolved";
  if (resolved) columns.resolvedAt = now;
  if (changed.status === "open" || changed.status === "pending") columns.resolvedAt = null;
  const after = await tx.ticket.update({ where: { id, organizationId }, data: columns });

  const data = ticketResource(after);
  const previous = previousAttributes(ticketResource(before).attributes, data.attributes);
  const event = { chatbotId: after.chatbotId, data };
  publish({ ...event, type: "ticket.updated", previous_attributes: previous });
  if (resolved) publish({ ...event, type: "ticket.resolved" });
  return { row: after, result: "updated" };
}

/** Columns of the members that are given; null empties one. */
function requesterColumns(requester: Schemas["PersonInput"] = {}) {
  return given({ requesterName: requester.name, requesterEmail: requester.email });
}
