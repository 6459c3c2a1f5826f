import { eventTypes } from "@parley/contract";
import type { Database } from "@parley/database";
import { listDeliveries, sampleEvent } from "@parley/webhooks";
import { callerOf } from "../../http/caller.ts";
import { item, list, page } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { MakeChange } from "../../http/make-change.ts";
import { findSubscription } from "../webhooks/service.ts";
import { readDelivery, redeliver, redeliverMany, withLastAttempts } from "./service.ts";

/** Redelivering a range may create very many deliveries. */
const longMs = 120_000;

type Names = "listDeliveries" | "getDelivery" | "redeliver" | "redeliverRange" | "listEventSamples";

export function deliveryOperations(db: Database, makeChange: MakeChange): Operations<Names> {
  return {
    async listDeliveries(request) {
      const { organizationId } = callerOf(request);
      const { id: subscriptionId } = await findSubscription(db, organizationId, request.params.id);
      const { status, event_type: eventType, since, until } = request.query;
      const filter = { organizationId, subscriptionId, status, eventType, since, until };
      const { rows, total } = await listDeliveries(db, filter, request.query);
      return page(await withLastAttempts(db, organizationId, rows), { total, ...request.query });
    },

    async getDelivery(request) {
      const { organizationId } = callerOf(request);
      const { id: subscriptionId } = await findSubscription(db, organizationId, request.params.id);
      return item(await readDelivery(db, { organizationId, subscriptionId }, request.params.delivery_id));
    },

    redeliver: (request, reply) =>
      makeChange(request, reply, async (change) =>
        item(await redeliver(change, request.params.id, request.params.delivery_id)),
      ),

    redeliverRange: (request, reply) =>
      makeChange(
        request,
        reply,
        async (change) => item({ deliveries: await redeliverMany(change, request.params.id, request.body) }),
        { timeoutMs: longMs },
      ),

    listEventSamples: ({ query: { type } }) => list((type ? [type] : eventTypes).map(sampleEvent)),
  };
}
