import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { getChatbots } from "../shared/chatbots.ts";
import { credentialType, type ParleyRecord } from "../shared/request.ts";
import { operations } from "./operations.ts";
import { properties } from "./properties.ts";
import { resources } from "./resources/index.ts";

/** Reads and writes the records of an organization. */
export class Parley implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Parley",
    name: "parley",
    icon: { light: "file:../../icons/parley.svg", dark: "file:../../icons/parley.dark.svg" },
    group: ["input"],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: "Read and write leads, tickets, conversations, meetings and chatbots",
    defaults: { name: "Parley" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: credentialType, required: true }],
    properties,
  };

  methods = { loadOptions: { getChatbots } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys()) {
      try {
        for (const json of await run(this, item)) results.push({ json, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw atItem(item, this, error as Error);
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [results];
  }
}

function atItem(itemIndex: number, context: IExecuteFunctions, error: Error): Error {
  if (!(error instanceof NodeApiError))
    return new NodeOperationError(context.getNode(), error, { itemIndex });
  error.context["itemIndex"] = itemIndex;
  return error;
}

async function run(context: IExecuteFunctions, item: number): Promise<ParleyRecord[]> {
  const name = context.getNodeParameter("resource", item);
  const operation = operations[context.getNodeParameter("operation", item) as string];
  const resource = resources.find((each) => each.name === name);
  if (!resource || !operation)
    throw new NodeOperationError(context.getNode(), "Choose a resource and an operation");
  return operation(context, item, resource);
}
