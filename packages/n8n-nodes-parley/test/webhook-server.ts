import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Demo } from "@parley/standalone/testing";
import type { IDataObject } from "n8n-workflow";
import { functionsFor, type PlacedNode } from "./functions.ts";

export interface WebhookServer {
  url: string;
  /** What the node gave to its workflow. */
  started: IDataObject[];
  /** Whether n8n is gone, and the proxy before it says so. */
  away: boolean;
  close(): Promise<void>;
}

/** Hands each request to the node's `webhook()`, with the body as it came, as n8n does. */
export async function startWebhookServer(demo: Demo, node: PlacedNode): Promise<WebhookServer> {
  const state = { started: [] as IDataObject[], away: false };
  async function hand(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rawBody = await buffer(request);
    if (state.away) return void response.writeHead(410).end();
    const functions = functionsFor(demo, node, { request: Object.assign(request, { rawBody }), response });
    const result = await node.type.webhook?.call(functions);
    if (result?.noWebhookResponse) return;
    state.started.push(...(result?.workflowData?.flat() ?? []).map(({ json }) => json));
    response.end('{"message":"Workflow was started"}');
  }
  const server = createServer((request, response) => void hand(request, response));
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
