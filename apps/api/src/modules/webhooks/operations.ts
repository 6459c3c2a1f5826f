import type { Database } from "@parley/database";
import type { SecretBox } from "@parley/webhooks";
import { callerOf } from "../../http/caller.ts";
import type { MakeChange } from "../../http/changes.ts";
import { item, list } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { createdSubscriptionResource, subscriptionResource } from "./resource.ts";
import {
  createSubscription,
  deleteSubscription,
  findSubscription,
  type SubscriptionPolicy,
} from "./service.ts";

export function subscriptionOperations(
  db: Database,
  makeChange: MakeChange,
  secretBox: SecretBox,
  policy: SubscriptionPolicy,
): Operations<"createSubscription" | "listSubscriptions" | "getSubscription" | "deleteSubscription"> {
  return {
    createSubscription: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { row, secret } = await createSubscription(change, secretBox, policy, request.body);
        reply.header("location", `/api/v1/webhooks/${row.id}`);
        return item(createdSubscriptionResource(row, secret));
      }),

    async listSubscriptions(request) {
      const rows = await db.subscription.findMany({
        where: { organizationId: callerOf(request).organizationId },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      });
      return list(rows.map(subscriptionResource));
    },

    async getSubscription(request) {
      const row = await findSubscription(db, callerOf(request).organizationId, request.params.id);
      return item(subscriptionResource(row));
    },

    async deleteSubscription(request) {
      const { id } = await deleteSubscription(db, callerOf(request).organizationId, request.params.id);
      return item({ id, deleted: true as const });
    },
  };
}
