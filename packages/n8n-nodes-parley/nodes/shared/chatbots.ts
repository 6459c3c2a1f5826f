import type { Schemas } from "@parley/contract";
import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from "n8n-workflow";
import { listRecords } from "./request.ts";

/** A dropdown of the organization's chatbots. */
export const chatbotField: INodeProperties = {
  displayName: "Chatbot Name or ID",
  name: "chatbot_id",
  type: "options",
  typeOptions: { loadOptionsMethod: "getChatbots" },
  default: "",
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

export async function getChatbots(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const chatbots = await listRecords<Schemas["Chatbot"]>(this, "/api/v1/chatbots");
  return chatbots.map(({ label, value }) => ({ name: label, value }));
}
