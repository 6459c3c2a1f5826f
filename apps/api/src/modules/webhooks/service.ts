import type { RequestOf, Schemas } from "@parley/contract";
import { type Database, isUuid, type Subscription, timeOfChange } from "@parley/database";
import {
  type AddressPolicy,
  changedHeaders,
  createSigningSecret,
  customHeadersProblem,
  ensureSigningKey,
  everyType,
  keepVersion,
  lockSubscription as lockRows,
  mostOrdered,
  notifyChanged,
  orderPending,
  resetCircuit,
  type SecretBox,
  storeHeaders,
  targetUrlProblem,
} from "@parley/webhooks";
import { ApiError, invalidField, notFound } from "../../http/api-error.ts";
import type { AuthoredChange } from "../../http/make-change.ts";
import { insufficientScope } from "../../http/security.ts";
import { type OrganizationTransaction, requireReference } from "../../records/rows.ts";
import { differences } from "../../records/written.ts";
import { hostOf, recordWebhookChange } from "./audit.ts";
import { conditionsOf, storeConditions } from "./conditions.ts";
import { type SubscriptionRow, subscriptionRelations } from "./resource.ts";

/** Limits for subscriptions: allowed target addresses, and the number of subscriptions. */
export interface SubscriptionPolicy extends AddressPolicy {
  /** Maximum number of subscriptions of an organization. */
  maxSubscriptions: number;
}

/**
 * Requires that the grant of the change is not revoked, and prevents this until the commit. Otherwise a request that was authenticated before a
 * revocation could enable a subscription after the revocation disabled it.
 *
 * @throws ApiError 403
 */
export async function requireGrant({ tx, by: { grantId } }: AuthoredChange): Promise<void> {
  if (grantId === undefined) return;
  const [grant] = await tx.$queryRaw<object[]>`
    SELECT 1 FROM oauth_grants WHERE id = ${grantId}::uuid AND revoked_at IS NULL FOR SHARE`;
  if (!grant) throw insufficientScope(["webhooks:manage"], "The access of the app was revoked.");
}

/**
 * Creates a subscription and its signing secret, which is stored encrypted.
 *
 * @throws ApiError 400 if the URL, a header or the filter is invalid, or the organization has the maximum number of subscriptions
 */
export async function createSubscription(
  change: AuthoredChange,
  secretBox: SecretBox,
  policy: SubscriptionPolicy,
  {
    target_url: targetUrl,
    event_types: eventTypes,
    filters,
    headers = {},
    rate_limit: rateLimit = null,
    ordering = null,
    enabled = true,
    public_key_signature: publicKeySignature = false,
  }: RequestOf<"createWebhookSubscription">["body"],
): Promise<{ row: Subscription; secret: string }> {
  const { tx, organizationId } = change;
  requireTargetUrl(targetUrl, policy);
  requireTypes(eventTypes);
  requireHeaders(headers);
  const chatbotId = filters?.chatbot_id ?? null;
  const secret = createSigningSecret();
  const { userId = null, clientId = null } = change.by;

  await requireGrant(change);
  await requireReference(change, "chatbots", chatbotId, "body/filters/chatbot_id");
  // The lock makes concurrent requests count one after the other.
  await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  const { maxSubscriptions } = policy;
  if ((await tx.subscription.count({ where: { organizationId } })) >= maxSubscriptions) {
    const message = `The organization has the maximum of ${maxSubscriptions} webhook subscriptions. Delete one first.`;
    throw new ApiError(400, "invalid_request", message);
  }
  if (publicKeySignature) await ensureSigningKey(change, secretBox);
  const row = await tx.subscription.create({
    data: {
      organizationId,
      targetUrl,
      eventTypes,
      chatbotId,
      ...storeConditions(filters?.conditions, eventTypes),
      secret: secretBox.encrypt(secret, organizationId),
      ...storeHeaders(headers, secretBox, organizationId),
      rateLimit,
      ordering,
      enabled,
      publicKeySignature,
      userId,
      clientId,
      queue: { create: {} },
    },
  });
  await recordWebhookChange(change, "webhook.created", row, { event_types: eventTypes });
  return { row, secret };
}

function requireTypes(eventTypes: string[]): void {
  if (eventTypes.includes(everyType) && eventTypes.length > 1) {
    throw invalidField(
      "body/event_types",
      `must not contain other types next to "${everyType}", which means all types.`,
    );
  }
}

function requireHeaders(headers: Record<string, string>): void {
  const problem = customHeadersProblem(headers);
  if (problem) throw invalidField(`body/headers/${problem.name}`, problem.problem);
}

function requireTargetUrl(targetUrl: string, policy: SubscriptionPolicy): void {
  const problem = targetUrlProblem(targetUrl, policy);
  if (problem) throw invalidField("body/target_url", problem);
}

/**
 * Finds a subscription by ID.
 *
 * @throws ApiError 404 if the organization has no such subscription
 */
export async function findSubscription(
  db: Pick<Database, "subscription">,
  organizationId: string,
  id: string,
): Promise<SubscriptionRow> {
  const found = { where: { id, organizationId }, include: subscriptionRelations };
  const row = isUuid(id) ? await db.subscription.findFirst(found) : null;
  if (!row) throw notFound("webhook subscription");
  return row;
}

/**
 * Finds a subscription by ID and locks its queue and its row, so that concurrent changes are not lost.
 *
 * @throws ApiError 404 if the organization has no such subscription
 */
export async function lockSubscription(
  { tx, organizationId }: OrganizationTransaction,
  id: string,
): Promise<SubscriptionRow> {
  if (isUuid(id)) await lockRows(tx, organizationId, id);
  return findSubscription(tx, organizationId, id);
}

/**
 * Updates the given fields and notifies the workers. The change must be exclusive if `ordering` is given or `enabled` is true, see `isExclusiveUpdate`. A new URL of an active subscription resets the failure count and closes the
 * circuit.
 *
 * @throws ApiError 404 if the organization has no such subscription; 400 if the URL, a header or the filter is invalid
 */
export async function updateSubscription(
  change: AuthoredChange,
  secretBox: SecretBox,
  policy: SubscriptionPolicy,
  id: string,
  {
    target_url: targetUrl,
    event_types: eventTypes,
    filters,
    headers,
    rate_limit: rateLimit,
    ordering,
    enabled,
    public_key_signature: publicKeySignature,
  }: Schemas["SubscriptionUpdate"],
): Promise<SubscriptionRow> {
  const { tx, organizationId, now, notifyPending } = change;
  await requireGrant(change);
  // Locks the organization before the subscription, as its deletion does, to prevent deadlocks.
  if (publicKeySignature) await ensureSigningKey(change, secretBox);
  const before = await lockSubscription(change, id);
  if (targetUrl !== undefined) requireTargetUrl(targetUrl, policy);
  if (eventTypes) requireTypes(eventTypes);
  if (headers) requireHeaders(headers);
  await requireReference(change, "chatbots", filters?.chatbot_id, "body/filters/chatbot_id");
  const chatbotId = filters && (filters.chatbot_id ?? null);
  const conditions = filters ? filters.conditions : conditionsOf(before);
  const changed = filters ? "filters" : "event_types";
  const stored = storeConditions(conditions, eventTypes ?? before.eventTypes, changed);
  const columns = {
    ...differences(
      { targetUrl, eventTypes, chatbotId, rateLimit, ordering, enabled, publicKeySignature },
      before,
    ),
    ...(stored.conditionsPath !== before.conditionsPath && stored),
    ...(headers && changedHeaders(headers, before, secretBox)),
  };
  if (Object.keys(columns).length === 0) return before;
  if (columns.ordering && !(await orderPending(tx, id))) {
    const problem = `cannot be set while more than ${mostOrdered.toLocaleString("en")} deliveries are pending. If the subscription failed, resume it. Otherwise, try again later.`;
    throw invalidField("body/ordering", problem);
  }
  if (columns.targetUrl && before.status === "active" && before.failureCount > 0) {
    await resetCircuit(change, before);
  }
  const updatedAt = await timeOfChange(tx, now, before.updatedAt);
  const changesRequests = columns.targetUrl !== undefined || columns.headerNames !== undefined;
  // Who chose the address is responsible for it, also when an app loses its access.
  const { userId = null, clientId = null } = change.by;
  const data = {
    ...columns,
    ...(columns.targetUrl && { userId, clientId }),
    ...(changesRequests && (await keepVersion(tx, before))),
    updatedAt,
  };
  if (columns.enabled) notifyPending(id);
  await notifyChanged(tx, id);
  const after = await tx.subscription.update({
    where: { id, organizationId },
    data,
    include: subscriptionRelations,
  });
  await recordWebhookChange(change, "webhook.updated", after, {
    fields: changedFields(columns),
    ...(columns.targetUrl && { previous_host: hostOf(before.targetUrl) }),
  });
  return after;
}

/** Returns whether no event may be recorded during the update: pending deliveries get an order, or the subscription begins to receive new events. */
export function isExclusiveUpdate({ ordering, enabled }: Schemas["SubscriptionUpdate"]): boolean {
  return Boolean(ordering) || enabled === true;
}

/** Fields of the API by column. */
const fieldOfColumn: Record<string, keyof Schemas["SubscriptionUpdate"]> = {
  targetUrl: "target_url",
  eventTypes: "event_types",
  chatbotId: "filters",
  conditionsPath: "filters",
  headerNames: "headers",
  rateLimit: "rate_limit",
  ordering: "ordering",
  enabled: "enabled",
  publicKeySignature: "public_key_signature",
};

function changedFields(columns: object): string[] {
  return [...new Set(Object.keys(columns).flatMap((column) => fieldOfColumn[column] ?? []))];
}

/**
 * Deletes a subscription. A trigger notifies the workers, which stop sending. A scheduled job removes its deliveries and their log,
 * because there may be millions.
 *
 * @param creator deletes the subscription only if this user created it with this client
 * @throws ApiError 404 if the organization has no such subscription
 */
export async function deleteSubscription(
  change: AuthoredChange,
  id: string,
  creator: Partial<Pick<Subscription, "userId" | "clientId">> = {},
): Promise<Subscription> {
  const row = await lockSubscription(change, id);
  if (Object.keys(differences(creator, row)).length > 0) throw notFound("webhook subscription");
  await recordWebhookChange(change, "webhook.deleted", row);
  return change.tx.subscription.delete({ where: { id, organizationId: change.organizationId } });
}
