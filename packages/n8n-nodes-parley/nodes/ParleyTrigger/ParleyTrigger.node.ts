import { events } from "@parley/contract/events";
import { verifyWebhook, WebhookVerificationError } from "@parley/sdk/webhooks";
import {
  type IDataObject,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { chatbotField, getChatbots } from "../shared/chatbots.ts";
import { credentialType } from "../shared/request.ts";
import { storedSubscription, subscriptionMethods } from "./subscription.ts";

/** Starts a workflow when Parley sends an event. It has a webhook subscription while the workflow is active. */
export class ParleyTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Parley Trigger",
    name: "parleyTrigger",
    icon: { light: "file:../../icons/parley.svg", dark: "file:../../icons/parley.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: "Starts the workflow when something happens in Parley",
    defaults: { name: "Parley Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: credentialType, required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: [],
        options: events
          .map(({ type, label, description }) => ({ name: label, value: type, description }))
          .sort((one, other) => one.name.localeCompare(other.name)),
      },
      { ...chatbotField, hint: "Leave empty for all chatbots, and for events without a chatbot." },
    ],
  };

  methods = { loadOptions: { getChatbots } };

  webhookMethods = { default: subscriptionMethods };

  /** Verifies a delivery and starts the workflow with its event. Responds 401 if the verification fails. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody: payload } = this.getRequestObject();
    const { secret = "" } = storedSubscription(this);
    try {
      const event = await verifyWebhook({ payload, headers: this.getHeaderData(), secret });
      return { workflowData: [[{ json: event as unknown as IDataObject }]] };
    } catch (error) {
      if (!(error instanceof WebhookVerificationError))
        throw new NodeOperationError(this.getNode(), error as Error);
      const body = { error: error.code, error_description: error.message };
      this.getResponseObject()
        .writeHead(401, { "content-type": "application/json" })
        .end(JSON.stringify(body));
      return { noWebhookResponse: true };
    }
  }
}
