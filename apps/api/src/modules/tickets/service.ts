import type { Schemas } from "@parley/contract";
import { type Prisma, type Ticket, timeOfChange } from "@parley/database";
import { ticketResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { lockRecord } from "../../records/rows.ts";
import { differences, given, previousAttributes, type Written } from "../../records/written.ts";

/** IDs of the records that a ticket belongs to, all of the same organization. */
interface TicketReferences {
  chatbotId?: string | null | undefined;
  leadId?: string | null | undefined;
  conversationId?: string | null | undefined;
}

/** Fields of a new ticket. */
type NewTicket = Schemas["TicketUpdate"] & {
  subject: string;
  /** External ID, for tickets of the Platform API. */
  externalId?: string | null;
};

/** Creates a ticket. Publishes `ticket.created`, and also `ticket.resolved` if its status is `resolved`. */
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
 * Updates the given fields under a row lock. Publishes `ticket.updated`, and also `ticket.resolved` if the status becomes
 * `resolved`; nothing if no value changes.
 *
 * @throws ApiError 404 if the organization has no such ticket
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

/** Returns the columns of the given fields. Null clears a column. */
function requesterColumns(requester: Schemas["PersonInput"] = {}) {
  return given({ requesterName: requester.name, requesterEmail: requester.email });
}
