import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Demo } from "@parley/standalone/testing";
import type { IDataObject } from "n8n-workflow";
import { functionsFor, type PlacedNode } from "./functions.ts";

export interface WebhookServer {
  url: string;
  /** The events with which workflows were started. */
  started: IDataObject[];
  /** Whether n8n is unavailable; the server then responds 410 like a proxy. */
  away: boolean;
  close(): Promise<void>;
}

/** Starts a server that passes each request with its raw body to the node's `webhook()`, as n8n does. */
export async function startWebhookServer(demo: Demo, node: PlacedNode): Promise<WebhookServer> {
  const state = { started: [] as IDataObject[], away: false };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rawBody = await buffer(request);
    if (state.away) return void response.writeHead(410).end();
    const functions = functionsFor(demo, node, { request: Object.assign(request, { rawBody }), response });
    const result = await node.type.webhook?.call(functions);
    if (result?.noWebhookResponse) return;
    state.started.push(...(result?.workflowData?.flat() ?? []).map(({ json }) => json));
    response.end('{"message":"Workflow was started"}');
  }
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook/1`;
  return Object.assign(state, {
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}
