import { listOrganizationDeliveries, previewRedelivery } from "@parley/webhooks";
import type { Operations } from "../../../http/handlers.ts";
import {
  findRedelivery,
  rangeOf,
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
import { progressPage, type RangeBody, redeliveryPage } from "./redelivery-page.ts";

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
        const { organizationId, managesWebhooks } = session.user;
        const subscription = await findSubscription(db, organizationId, request.params.id);
        const { redelivery_id: redeliveryId } = request.query;
        if (redeliveryId !== undefined) {
          const redelivery = await findRedelivery(db, subscription, redeliveryId);
          return progressPage(session, subscription, redelivery, now());
        }
        if (!managesWebhooks) return notAdminPage(session, "redeliver");
        const range = bodyOf(request.query);
        const preview = await previewRedelivery(db, rangeOf(subscription, range, now()));
        return redeliveryPage(session, subscription, range, preview, message);
      }),

    submitRedelivery: (request, reply) =>
      handleForm(context, request, reply, (session) => {
        requireChanges(session);
        const { id: subscriptionId } = request.params;
        const address = `${webhookAddress(subscriptionId)}/redelivery`;
        const range = bodyOf(request.body);
        const here = { redirectTo: withQuery(address, { ...range }) };
        return rejectable(here, rejectedBy(problemOfError), async () => {
          const { id } = await changeAs(context, session, (change) =>
            redeliverMany(change, subscriptionId, range),
          );
          return { redirectTo: withQuery(address, { redelivery_id: id }) };
        });
      }),
  };

  /** Returns the range of a query or form; by default, what was exhausted in the last 24 hours. */
  function bodyOf({
    status = "exhausted",
    event_type,
    ...given
  }: Partial<RangeBody>): RangeBody & { status: string } {
    const { since = new Date(clock() - dayMs).toISOString(), until } = timeRange(given);
    return {
      status,
      since,
      ...(event_type !== undefined && { event_type }),
      ...(until !== undefined && { until }),
    };
  }
}
