import { apiVersion } from "@parley/contract";
import type { Database } from "@parley/database";
import type { SecretBox } from "@parley/webhooks";
import { callerOf, creatorFilter } from "../../http/caller.ts";
import { item, list } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { AuthoredChange, MakeChange } from "../../http/make-change.ts";
import {
  createdSubscriptionResource,
  type SubscriptionRow,
  subscriptionRelations,
  subscriptionResource,
} from "./resource.ts";
import { resume } from "./resume.ts";
import { rotateSecret } from "./secrets.ts";
import {
  createSubscription,
  deleteSubscription,
  findSubscription,
  isExclusiveUpdate,
  type SubscriptionPolicy,
  updateSubscription,
} from "./service.ts";

type Names =
  | "createWebhookSubscription"
  | "listWebhookSubscriptions"
  | "getWebhookSubscription"
  | "updateWebhookSubscription"
  | "deleteWebhookSubscription"
  | "resumeWebhookSubscription"
  | "rotateWebhookSecret"
  | "getWebhookSourceAddresses";

interface SubscriptionOptions extends SubscriptionPolicy {
  db: Database;
  makeChange: MakeChange;
  secretBox: SecretBox;
  /** Returns the public root address of the server. */
  baseUrl: () => string;
  /** Addresses from which deliveries come, in CIDR notation. */
  sourceAddresses: string[];
}

export function subscriptionOperations(options: SubscriptionOptions): Operations<Names> {
  const { db, makeChange, secretBox, baseUrl } = options;
  const resourceOf = (row: SubscriptionRow) => subscriptionResource(row, baseUrl());

  return {
    getWebhookSourceAddresses: () => item({ addresses: options.sourceAddresses }),

    createWebhookSubscription: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { row, secret } = await createSubscription(change, secretBox, options, request.body);
        reply.header("location", `/api/v1/webhooks/${row.id}`);
        return item(createdSubscriptionResource(row, secret, baseUrl()));
      }),

    async listWebhookSubscriptions(request) {
      const { target_url: targetUrl } = request.query;
      const rows = await db.subscription.findMany({
        where: {
          organizationId: callerOf(request).organizationId,
          ...creatorFilter(request),
          ...(targetUrl !== undefined && { targetUrl }),
        },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        include: subscriptionRelations,
      });
      return list(rows.map(resourceOf));
    },

    async getWebhookSubscription(request) {
      const row = await findSubscription(db, callerOf(request).organizationId, request.params.id);
      return item(resourceOf(row));
    },

    updateWebhookSubscription(request, reply) {
      async function make(change: AuthoredChange) {
        const row = await updateSubscription(change, secretBox, options, request.params.id, request.body);
        return item(resourceOf(row));
      }
      return makeChange(request, reply, make, { exclusive: isExclusiveUpdate(request.body) });
    },

    deleteWebhookSubscription: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { id } = await deleteSubscription(change, request.params.id, creatorFilter(request));
        return item({ id, deleted: true as const });
      }),

    resumeWebhookSubscription(request, reply) {
      const fillGap = request.body.fill_gap === true;
      async function make(change: AuthoredChange) {
        const { row, gapEvents } = await resume(change, request.params.id, fillGap);
        return { data: resourceOf(row), meta: { api_version: apiVersion, gap_events: gapEvents } };
      }
      return makeChange(request, reply, make, { exclusive: !fillGap });
    },

    rotateWebhookSecret: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { id } = request.params;
        const immediately = request.body.immediately === true;
        const { secret, signsFrom } = await rotateSecret(change, secretBox, id, immediately);
        return item({ id, secret, signs_from: signsFrom.toISOString() });
      }),
  };
}
