import { type IHookFunctions, type IWebhookFunctions, type JsonObject, NodeApiError } from "n8n-workflow";
import { callParley, type ParleyRecord } from "../shared/request.ts";

/** Subscription that n8n stores with the workflow. */
export interface StoredSubscription {
  subscriptionId?: string;
  secret?: string;
}

export function storedSubscription(context: IHookFunctions | IWebhookFunctions): StoredSubscription {
  return context.getWorkflowStaticData("node");
}

/**
 * Returns whether the subscription exists and its secret is known. Resumes a subscription that failed while n8n was
 * unavailable, so that Parley delivers the events that it missed.
 */
async function checkExists(this: IHookFunctions): Promise<boolean> {
  const { subscriptionId } = storedSubscription(this);
  const found = (await subscriptionsHere(this)).find(({ id }) => id === subscriptionId);
  if (found?.["status"] === "failed") {
    const path = `/api/v1/webhooks/${found.id}/resume`;
    await callParley(this, { method: "POST", path, body: { fill_gap: true } });
  }
  return found !== undefined;
}

/** Creates the subscription. First deletes other subscriptions to this URL, because their secrets are unknown. */
async function create(this: IHookFunctions): Promise<boolean> {
  for (const { id } of await subscriptionsHere(this)) await unsubscribe(this, id);
  const chatbot_id = this.getNodeParameter("chatbot_id") as string;
  const { data } = await callParley<{ id: string; secret: string }>(this, {
    method: "POST",
    path: "/api/v1/webhooks/subscribe",
    body: {
      target_url: this.getNodeWebhookUrl("default"),
      event_types: this.getNodeParameter("events") as string[],
      filters: chatbot_id ? { chatbot_id } : {},
    },
  });
  Object.assign(storedSubscription(this), { subscriptionId: data.id, secret: data.secret });
  return true;
}

async function deleteSubscription(this: IHookFunctions): Promise<boolean> {
  const known = storedSubscription(this);
  if (known.subscriptionId) await unsubscribe(this, known.subscriptionId);
  delete known.subscriptionId;
  delete known.secret;
  return true;
}

/**
 * Deletes a subscription. Succeeds if it no longer exists. A 404 without Parley's error code comes from a proxy or a wrong
 * address, and does not mean that the subscription is missing.
 */
async function unsubscribe(context: IHookFunctions, id: string): Promise<void> {
  try {
    await callParley(context, { method: "DELETE", path: `/api/v1/webhooks/${id}` });
  } catch (error) {
    const failure = new NodeApiError(context.getNode(), error as JsonObject);
    if (failure.httpCode !== "404" || failure.description !== "not_found") throw failure;
  }
}

async function subscriptionsHere(context: IHookFunctions): Promise<ParleyRecord[]> {
  const query = { target_url: context.getNodeWebhookUrl("default") };
  return (await callParley<ParleyRecord[]>(context, { path: "/api/v1/webhooks", query })).data;
}

/** The functions that n8n calls when a workflow is turned on and off. */
export const subscriptionMethods = { checkExists, create, delete: deleteSubscription };
