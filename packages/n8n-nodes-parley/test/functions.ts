import type { IncomingMessage, ServerResponse } from "node:http";
import { conformingFetch } from "@parley/contract/testing";
import type { Demo } from "@parley/standalone/testing";
import type {
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  INode,
  INodeParameters,
  INodeType,
  IWebhookFunctions,
  JsonObject,
} from "n8n-workflow";
import type { StoredSubscription } from "../nodes/ParleyTrigger/subscription.ts";
import { n8n } from "./built-package.ts";

/** A node in a workflow, with the data that n8n stores for it. */
export interface PlacedNode {
  type: INodeType;
  parameters: INodeParameters;
  staticData: StoredSubscription;
  webhookUrl?: string;
  continueOnFail?: boolean;
  items?: number;
}

type Functions = IExecuteFunctions & IHookFunctions & ILoadOptionsFunctions & IWebhookFunctions;

const conforming = conformingFetch();

/** Returns the functions that n8n provides to a node. n8n-workflow resolves the parameters; requests use HTTP and the token. */
export function functionsFor(
  { url, token, fetch = conforming }: Pick<Demo, "url" | "token"> & { fetch?: typeof globalThis.fetch },
  { type: { description }, continueOnFail = false, items = 1, webhookUrl, staticData, ...placed }: PlacedNode,
  http?: { request: IncomingMessage & { rawBody: Buffer }; response: ServerResponse },
): Functions {
  const node: INode = {
    id: "1",
    name: description.displayName,
    type: `n8n-nodes-parley.${description.name}`,
    typeVersion: 1,
    position: [0, 0],
    parameters: placed.parameters,
  };
  const { properties } = description;
  const parameters = n8n.NodeHelpers.getNodeParameters(
    properties,
    placed.parameters,
    true,
    false,
    node,
    description,
  );

  async function httpRequestWithAuthentication(
    _type: string,
    request: IHttpRequestOptions,
  ): Promise<unknown> {
    const { method = "GET", qs = {}, body } = request;
    const query = new URLSearchParams(qs as Record<string, string>);
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${request.url}?${query}`, init);
    const data = parse(await response.text());
    if (response.ok) return data;
    throw new n8n.NodeApiError(node, new AxiosError(response.status, data) as unknown as JsonObject);
  }

  const functions = {
    getNode: () => node,
    getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
    getNodeParameter(name: string): unknown {
      const value = parameters?.[name];
      if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
      return value;
    },
    getCredentials: async () => ({ baseUrl: `${url}/` }),
    getTimezone: () => "Europe/Vienna",
    continueOnFail: () => continueOnFail,
    getWorkflowStaticData: () => staticData,
    getNodeWebhookUrl: () => webhookUrl,
    getRequestObject: () => http?.request,
    getHeaderData: () => http?.request.headers,
    getResponseObject: () => http?.response,
    helpers: { httpRequestWithAuthentication },
  };
  return functions as unknown as Functions;
}

/** Parses JSON, and returns other text unchanged, like n8n's HTTP client. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The error that n8n's HTTP client throws. */
class AxiosError extends Error {
  readonly response: { status: number; data: unknown };

  constructor(status: number, data: unknown) {
    super(`Request failed with status code ${status}`);
    this.response = { status, data };
  }
}
