import { eventTypes } from "@parley/contract";
import { listDeliveries, sampleEvent } from "@parley/webhooks";
import { callerOf } from "../../http/caller.ts";
import { item, list } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { MakeChange, MakePreparedChange } from "../../http/make-change.ts";
import { readPage } from "../../http/pages.ts";
import { findSubscription } from "../webhooks/service.ts";
import { deliveryResource, redeliveryResource } from "./resource.ts";
import { findRedelivery, readDelivery, redeliver, redeliverMany, withLastAttempts } from "./service.ts";
import { recordTest, sendTestTo, type TestOptions } from "./test-deliveries.ts";

type Names =
  | "listWebhookDeliveries"
  | "getWebhookDelivery"
  | "redeliverWebhookDelivery"
  | "redeliverWebhookDeliveries"
  | "getWebhookRedelivery"
  | "testWebhookSubscription"
  | "listEventSamples";

interface DeliveryOptions extends TestOptions {
  makeChange: MakeChange;
  makePreparedChange: MakePreparedChange;
}

export function deliveryOperations(options: DeliveryOptions): Operations<Names> {
  const { db, makeChange, makePreparedChange, secretBox } = options;

  return {
    async listWebhookDeliveries(request) {
      const { organizationId } = callerOf(request);
      const { id: subscriptionId } = await findSubscription(db, organizationId, request.params.id);
      const { status, event_type: eventType, since, until } = request.query;
      const filter = { organizationId, subscriptionId, status, eventType, since, until };
      return readPage(request, {
        read: (page) => listDeliveries(db, filter, page),
        positionOf: ({ at, id }) => ({ time: at.toISOString(), id }),
        toResources: (rows) => withLastAttempts(db, organizationId, rows),
      });
    },

    async getWebhookDelivery(request) {
      const { organizationId } = callerOf(request);
      const subscription = await findSubscription(db, organizationId, request.params.id);
      return item(await readDelivery(db, secretBox, subscription, request.params.delivery_id));
    },

    redeliverWebhookDelivery: (request, reply) =>
      makeChange(request, reply, async (change) =>
        item(await redeliver(change, request.params.id, request.params.delivery_id)),
      ),

    redeliverWebhookDeliveries: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { id } = request.params;
        const redelivery = await redeliverMany(change, id, request.body);
        reply.header("location", `/api/v1/webhooks/${id}/redeliveries/${redelivery.id}`);
        return item(redeliveryResource(redelivery));
      }),

    async getWebhookRedelivery(request) {
      const { organizationId } = callerOf(request);
      const subscription = await findSubscription(db, organizationId, request.params.id);
      return item(redeliveryResource(await findRedelivery(db, subscription, request.params.redelivery_id)));
    },

    testWebhookSubscription: (request, reply) =>
      makePreparedChange(request, reply, {
        async prepare() {
          const row = await findSubscription(db, callerOf(request).organizationId, request.params.id);
          request.stopCounting(); // It waits for the receiver.
          return { row, sent: await sendTestTo(options, row, request.body.event_type) };
        },
        async make(change, { row, sent }) {
          const { delivery, attempt } = await recordTest(change, row, sent);
          return item(deliveryResource(delivery, attempt));
        },
      }),

    listEventSamples: ({ query: { type } }) => list((type ? [type] : eventTypes).map(sampleEvent)),
  };
}
