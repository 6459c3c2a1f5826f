import { eventTypes } from "@parley/contract";
import type { Database } from "@parley/database";
import {
  decryptSecrets,
  listDeliveries,
  readSigningKeys,
  type SecretBox,
  sampleEvent,
  sendTest,
} from "@parley/webhooks";
import type { Dispatcher } from "undici";
import { callerOf } from "../../http/caller.ts";
import { item, list } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { MakeChange, MakePreparedChange } from "../../http/make-change.ts";
import { readPage } from "../../http/pages.ts";
import { findSubscription } from "../webhooks/service.ts";
import { deliveryResource } from "./resource.ts";
import { readDelivery, redeliver, redeliverMany, withLastAttempts } from "./service.ts";
import { databaseTime, recordTest, testEventType } from "./test-deliveries.ts";

/** Longer than for other changes, because a range may contain millions of deliveries. */
const rangeTimeoutMs = 120_000;

type Names =
  | "listWebhookDeliveries"
  | "getWebhookDelivery"
  | "redeliverWebhookDelivery"
  | "redeliverWebhookDeliveries"
  | "testWebhookSubscription"
  | "listEventSamples";

interface DeliveryOptions {
  db: Database;
  makeChange: MakeChange;
  makePreparedChange: MakePreparedChange;
  secretBox: SecretBox;
  /** Sends test deliveries. */
  client: Dispatcher;
  /** Timeout of a test delivery in milliseconds. */
  timeoutMs: number;
}

export function deliveryOperations(options: DeliveryOptions): Operations<Names> {
  const { db, makeChange, makePreparedChange, secretBox, client, timeoutMs } = options;

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
      makeChange(
        request,
        reply,
        async (change) => item({ deliveries: await redeliverMany(change, request.params.id, request.body) }),
        { timeoutMs: rangeTimeoutMs },
      ),

    testWebhookSubscription: (request, reply) =>
      makePreparedChange(request, reply, {
        // The test is sent before the transaction, so that no open transaction waits for a receiver.
        async prepare() {
          const row = await findSubscription(db, callerOf(request).organizationId, request.params.id);
          const now = await databaseTime(db);
          const signingKeys = row.publicKeySignature ? await readSigningKeys(db, row.organizationId) : [];
          const secrets = decryptSecrets({ ...row, signingKeys }, secretBox, now.getTime());
          const eventType = testEventType(row, request.body.event_type);
          const test = { url: row.targetUrl, secrets, eventType, now, timeoutMs };
          return { row, sent: await sendTest(client, test) };
        },
        async make(change, { row, sent }) {
          const { delivery, attempt } = await recordTest(change, row, sent);
          return item(deliveryResource(delivery, attempt));
        },
      }),

    listEventSamples: ({ query: { type } }) => list((type ? [type] : eventTypes).map(sampleEvent)),
  };
}
