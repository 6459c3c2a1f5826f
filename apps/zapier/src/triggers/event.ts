import type { ResponseOf } from "@parley/contract";
import type { ListedEvent } from "@parley/contract/events";
import { verifyWebhook } from "@parley/sdk/webhooks";
import type { Bundle, Trigger, ZObject } from "zapier-platform-core";
import { chatbotField } from "../chatbot-field.ts";

/** The data of a subscription that Zapier stores while the Zap is on. */
interface SubscribeData {
  id: string;
  secret: string;
}

/** Returns the instant trigger of an event type. Each Zap has a webhook subscription. */
export function eventTrigger({ type, label, description, sample }: ListedEvent): Trigger {
  return {
    key: type.replace(".", "_"),
    noun: nounOf(sample.data),
    display: { label, description: `Triggers when Parley sends ${type}. ${description}` },
    operation: {
      type: "hook",
      inputFields:
        sample.chatbot_id === null
          ? []
          : [
              {
                ...chatbotField,
                helpText: "Leave empty for all chatbots, and for events without a chatbot.",
              },
            ],
      performSubscribe: (z: ZObject, bundle: Bundle) => subscribe(z, bundle, type),
      performUnsubscribe: unsubscribe,
      perform: receive,
      performList: (z: ZObject) => listSamples(z, type),
      sample,
    },
  };
}

function nounOf({ type }: ListedEvent["sample"]["data"]): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll("_", " ");
}

async function subscribe(z: ZObject, bundle: Bundle, type: string): Promise<SubscribeData> {
  const { chatbot_id } = bundle.inputData;
  const { data } = await z.request<ResponseOf<"createWebhookSubscription">>({
    method: "POST",
    url: "/api/v1/webhooks/subscribe",
    body: { target_url: bundle.targetUrl, event_types: [type], filters: chatbot_id ? { chatbot_id } : {} },
  });
  return { id: data.data.id, secret: data.data.secret };
}

/** Deletes the subscription. Succeeds if it no longer exists. */
async function unsubscribe(z: ZObject, bundle: Bundle): Promise<object> {
  const url = `/api/v1/webhooks/${bundle.subscribeData?.id}`;
  const { data } = await z.request({ method: "DELETE", url, skipThrowForStatus: true });
  return data;
}

/**
 * Verifies a delivery and returns its event.
 *
 * @throws Error with the code of `WebhookVerificationError`
 */
async function receive(z: ZObject, bundle: Bundle): Promise<object[]> {
  const { content = "", headers = {} } = bundle.rawRequest ?? {};
  const { secret = "" } = (bundle.subscribeData ?? {}) as Partial<SubscribeData>;
  try {
    return [await verifyWebhook({ payload: content, headers: asSent(headers), secret })];
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    throw new z.errors.Error(`The delivery could not be verified. ${message}`, code, 401);
  }
}

/** Removes the prefix `Http-` that Zapier adds to the names of some headers. */
function asSent(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/^http-/i, ""), value]),
  );
}

async function listSamples(z: ZObject, type: string): Promise<object[]> {
  const { data } = await z.request<ResponseOf<"listEventSamples">>({
    url: "/api/v1/events/samples",
    params: { type },
  });
  return data.data;
}
