import { countRedeliverable, listOrganizationDeliveries, redeliveryProgress } from "@parley/webhooks";
import type { Operations } from "../../../http/handlers.ts";
import {
  rangeTimeoutMs,
  readDelivery,
  redeliver,
  redeliverMany,
  withLastAttempts,
} from "../../deliveries/service.ts";
import { findSubscription } from "../../webhooks/service.ts";
import { deliveryAddress, webhookAddress, withQuery } from "../addresses.ts";
import type { ConsoleContext } from "../context.ts";
import { findEvent } from "../events/find-event.ts";
import { pageSize, startOfPage } from "../layout/cursor.ts";
import { notAdminPage } from "../layout/error-pages.ts";
import { timeRange } from "../layout/filters.ts";
import { changeAs, handleForm, renderForUser } from "../page-requests.ts";
import { rejectable, rejectedBy } from "../reject.ts";
import { problemOfError } from "../webhooks/form.ts";
import { requireChanges } from "../webhooks/plan-warning.ts";
import { deliveryPage } from "./detail-page.ts";
import { deliveriesPage } from "./list-page.ts";
import { readRecipients } from "./recipients.ts";
import { progressPage, type Range, redeliveryPage } from "./redelivery-page.ts";

type DeliveryOperation =
  | "showDeliveries"
  | "showDelivery"
  | "submitDelivery"
  | "showRedelivery"
  | "submitRedelivery";

const dayMs = 24 * 3_600_000;

/** Returns the operations of the pages about deliveries. */
export function deliveryPagesOperations(context: ConsoleContext): Operations<DeliveryOperation> {
  const { db, clock, secretBox } = context;
  const now = () => new Date(clock());

  return {
    showDeliveries: (request, reply) =>
      renderForUser(context, request, reply, async (session) => {
        const { query } = request;
        const { organizationId } = session.user;
        const record = query.record?.trim().toLowerCase();
        const { subscription_id: subscriptionId, status, event_type: eventType } = query;
        const event = record === undefined ? null : await findEvent(db, organizationId, record);
        const filter = {
          organizationId,
          subscriptionId,
          status,
          eventType,
          ...(event ? { eventId: event.id } : { recordId: record }),
          ...timeRange(query),
        };
        const start = { limit: pageSize, after: startOfPage(query) };
        const [{ rows, next }, recipients] = await Promise.all([
          listOrganizationDeliveries(db, filter, start),
          readRecipients(db, organizationId),
        ]);
        const deliveries = await withLastAttempts(db, organizationId, rows);
        return deliveriesPage(session, query, { deliveries, next, recipients }, now());
      }),

    showDelivery: (request, reply) =>
      renderForUser(context, request, reply, async (session, message) => {
        const { id, delivery_id: deliveryId } = request.params;
        const subscription = await findSubscription(db, session.user.organizationId, id);
        const delivery = await readDelivery(db, secretBox, subscription, deliveryId);
        return deliveryPage(session, subscription, delivery, message, now());
      }),

    submitDelivery: (request, reply) =>
      handleForm(context, request, reply, (session) => {
        requireChanges(session);
        const { id: subscriptionId, delivery_id: deliveryId } = request.params;
        const here = { redirectTo: deliveryAddress({ subscriptionId, id: deliveryId }) };
        return rejectable(here, rejectedBy(problemOfError), async () => {
          const { id } = await changeAs(context, session, (change) =>
            redeliver(change, subscriptionId, deliveryId),
          );
          const done = id === deliveryId ? "The delivery is scheduled for now." : "This is the new delivery.";
          return { redirectTo: deliveryAddress({ subscriptionId, id }), done };
        });
      }),

    showRedelivery: (request, reply) =>
      renderForUser(context, request, reply, async (session, message) => {
        const { organizationId, isAdmin } = session.user;
        const subscription = await findSubscription(db, organizationId, request.params.id);
        const { created, first, last } = request.query;
        if (created !== undefined) {
          const ids = { organizationId, subscriptionId: subscription.id };
          const pending = first && last ? await redeliveryProgress(db, ids, { first, last }) : 0;
          return progressPage(session, subscription, { created, pending }, now());
        }
        if (!isAdmin) return notAdminPage(session, "redeliver");
        const range = rangeOf(request.query);
        const filter = { ...range, organizationId, subscriptionId: subscription.id };
        return redeliveryPage(session, subscription, range, await countRedeliverable(db, filter), message);
      }),

    submitRedelivery: (request, reply) =>
      handleForm(context, request, reply, (session) => {
        requireChanges(session);
        const { id } = request.params;
        const address = `${webhookAddress(id)}/redelivery`;
        const { eventType, ...range } = rangeOf(request.body);
        const query = {
          status: range.status,
          since: range.since,
          ...(eventType !== undefined && { event_type: eventType }),
          ...(range.until !== undefined && { until: range.until }),
        };
        return rejectable({ redirectTo: withQuery(address, query) }, rejectedBy(problemOfError), async () => {
          const {
            count: created,
            first,
            last,
          } = await changeAs(context, session, (change) => redeliverMany(change, context.policy, id, query), {
            timeoutMs: rangeTimeoutMs,
          });
          return {
            redirectTo: withQuery(address, { created, first: first ?? undefined, last: last ?? undefined }),
          };
        });
      }),
  };

  /** Returns the range of a query or form; by default, what was exhausted in the last 24 hours. */
  function rangeOf(given: {
    status?: Range["status"];
    event_type?: Parameters<typeof redeliverMany>[3]["event_type"];
    since?: string;
    until?: string;
  }) {
    const { since = new Date(clock() - dayMs).toISOString(), until } = timeRange(given);
    return { status: given.status ?? ("exhausted" as const), eventType: given.event_type, since, until };
  }
}
