import { apiVersion } from "@parley/contract";
import type { Database } from "@parley/database";
import { type Change, openSecrets, type SecretBox, sendTest } from "@parley/webhooks";
import type { FastifyRequest } from "fastify";
import type { Dispatcher } from "undici";
import { callerOf } from "../../http/caller.ts";
import { keyOf, type MakeChange } from "../../http/changes.ts";
import { item, list } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { isAnswered } from "../../http/idempotency.ts";
import { createTurns } from "../../http/turns.ts";
import { deliveryResource } from "../deliveries/resource.ts";
import { createdSubscriptionResource, subscriptionResource, withQueue } from "./resource.ts";
import { fillBeforehand, resume } from "./resume.ts";
import { rotateSecret } from "./secrets.ts";
import {
  createSubscription,
  deleteSubscription,
  findSubscription,
  type SubscriptionPolicy,
  updateSubscription,
} from "./service.ts";
import { recordTest, testedType, timeOf } from "./tests.ts";

type Names =
  | "createSubscription"
  | "listSubscriptions"
  | "getSubscription"
  | "updateSubscription"
  | "deleteSubscription"
  | "resumeSubscription"
  | "testSubscription"
  | "rotateSecret";

export interface SubscriptionOptions extends SubscriptionPolicy {
  db: Database;
  makeChange: MakeChange;
  secretBox: SecretBox;
  /** Sends tests. */
  client: Dispatcher;
  /** Milliseconds for a test. */
  timeoutMs: number;
}

export function subscriptionOperations(options: SubscriptionOptions): Operations<Names> {
  const { db, makeChange, secretBox, client, timeoutMs } = options;
  const inTurn = createTurns();

  /** Whether the request's `Idempotency-Key` has an answer, so that nothing is to be done before the change either. */
  async function isRepeated(
    request: Pick<FastifyRequest, "caller" | "method" | "headers">,
  ): Promise<boolean> {
    const key = keyOf(request);
    return key !== undefined && isAnswered(db, callerOf(request).organizationId, key);
  }

  return {
    createSubscription: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { row, secret } = await createSubscription(change, secretBox, options, request.body);
        reply.header("location", `/api/v1/webhooks/${row.id}`);
        return item(createdSubscriptionResource(row, secret));
      }),

    async listSubscriptions(request) {
      const { target_url: targetUrl } = request.query;
      const rows = await db.subscription.findMany({
        where: {
          organizationId: callerOf(request).organizationId,
          ...(targetUrl !== undefined && { targetUrl }),
        },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        include: withQueue,
      });
      return list(rows.map(subscriptionResource));
    },

    async getSubscription(request) {
      const row = await findSubscription(db, callerOf(request).organizationId, request.params.id);
      return item(subscriptionResource(row));
    },

    updateSubscription: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const row = await updateSubscription(change, options, request.params.id, request.body);
        return item(subscriptionResource(row));
      }),

    async deleteSubscription(request) {
      const { id } = await deleteSubscription(db, callerOf(request).organizationId, request.params.id);
      return item({ id, deleted: true as const });
    },

    async resumeSubscription(request, reply) {
      const { id } = request.params;
      const fillGap = request.body.fill_gap === true;
      const { organizationId } = callerOf(request);
      const fillsNow = fillGap && !(await isRepeated(request));
      const already = fillsNow ? await fillBeforehand(db, organizationId, id) : 0;
      async function make(change: Change) {
        const { row, gap } = await resume(change, id, { fillGap });
        const meta = { api_version: apiVersion, gap_deliveries: already + gap };
        return { data: subscriptionResource(row), meta };
      }
      return makeChange(request, reply, make, { alone: true });
    },

    testSubscription(request, reply) {
      const { organizationId } = callerOf(request);
      const key = keyOf(request);
      async function test() {
        const row = await findSubscription(db, organizationId, request.params.id);
        const now = await timeOf(db);
        // It is sent before the change: nothing may wait for a receiver while a transaction is open.
        const secret = openSecrets(row, secretBox, now.getTime())?.now ?? null;
        const eventType = testedType(row, request.body.event_type);
        const sent = (await isRepeated(request))
          ? null
          : await sendTest(client, { url: row.targetUrl, secret, eventType, now, timeoutMs });
        return makeChange(request, reply, async (change) => {
          if (!sent) throw new Error("the key's first answer was forgotten meanwhile");
          const { delivery, attempt } = await recordTest(change, row, sent);
          return item(deliveryResource(delivery, attempt));
        });
      }
      // A twin that comes meanwhile is answered by the first one's answer, and sends nothing.
      return key === undefined ? test() : inTurn(`${organizationId} ${key}`, test);
    },

    rotateSecret: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { id } = request.params;
        const immediately = request.body.immediately === true;
        const { secret, signsFrom } = await rotateSecret(change, secretBox, id, immediately);
        return item({ id, secret, signs_from: signsFrom.toISOString() });
      }),
  };
}
