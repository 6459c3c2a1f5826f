import { type EventType, eventTypes } from "@parley/contract";
import { deliveriesOfEvent, listEvents } from "@parley/webhooks";
import { notFound } from "../../../http/api-error.ts";
import type { Operations } from "../../../http/handlers.ts";
import { withLastAttempts } from "../../deliveries/service.ts";
import type { ConsoleContext } from "../context.ts";
import { readRecipients } from "../deliveries/recipients.ts";
import { pageSize, startOfPage } from "../layout/cursor.ts";
import { timeRange } from "../layout/filters.ts";
import { renderForUser } from "../page-requests.ts";
import { eventTypePage, eventTypesPage } from "./catalogue-pages.ts";
import { eventPage } from "./detail-page.ts";
import { findEvent, readEvent } from "./find-event.ts";
import { eventsPage } from "./list-page.ts";

type EventOperation = "showEvents" | "showEvent" | "showEventTypes" | "showEventType";

/** Returns the operations of the pages about events and their types. */
export function eventPagesOperations(context: ConsoleContext): Operations<EventOperation> {
  const { db, clock } = context;

  return {
    showEvents: (request, reply) =>
      renderForUser(context, request, reply, async (session) => {
        const { query } = request;
        const record = query.record?.trim().toLowerCase();
        const { event_type: type } = query;
        const range = timeRange(query);
        const { organizationId } = session.user;
        const event = record === undefined ? null : await findEvent(db, organizationId, record);
        if (event) return eventsPage(session, query, { events: [event], next: null });
        const filter = { organizationId, types: type && [type], recordId: record, ...range };
        const { events, next } = await listEvents(db, filter, { limit: pageSize, after: startOfPage(query) });
        return eventsPage(session, query, { events, next });
      }),

    showEvent: (request, reply) =>
      renderForUser(context, request, reply, async (session) => {
        const { id } = request.params;
        const { organizationId } = session.user;
        const event = await readEvent(db, organizationId, id);
        if (!event) throw notFound("event");
        const [rows, recipients, chatbot] = await Promise.all([
          deliveriesOfEvent(db, organizationId, id),
          readRecipients(db, organizationId),
          event.chatbotId === null
            ? null
            : db.chatbot.findFirst({ where: { id: event.chatbotId, organizationId } }),
        ]);
        const deliveries = await withLastAttempts(db, organizationId, rows);
        const details = { ...event, deliveries, recipients, chatbotName: chatbot?.name };
        return eventPage(session, details, new Date(clock()));
      }),

    showEventTypes: (request, reply) =>
      renderForUser(context, request, reply, async (session) =>
        eventTypesPage(session, await subscriptionsOf(session.user.organizationId)),
      ),

    showEventType: (request, reply) =>
      renderForUser(context, request, reply, async (session) => {
        const type = request.params.type as EventType;
        if (!eventTypes.includes(type)) throw notFound("event type");
        return eventTypePage(session, type, await subscriptionsOf(session.user.organizationId));
      }),
  };

  function subscriptionsOf(organizationId: string) {
    return db.subscription.findMany({
      where: { organizationId },
      select: {
        id: true,
        targetUrl: true,
        eventTypes: true,
        chatbotId: true,
        conditions: true,
        status: true,
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    });
  }
}
