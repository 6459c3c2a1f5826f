import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Sent as JSON; a string as it is. */
  readonly body?: unknown;
  /** Never answers, or stops half-way. */
  readonly fault?: "hang" | "cut" | "hang in body";
}

export interface TestServer {
  readonly baseUrl: string;
  readonly received: Received[];
}

/** A real HTTP server that answers as `reply` says; `count` is 0 for the first request. Closed with the test. */
export async function startServer(
  reply: (request: Received, count: number) => Reply | Promise<Reply>,
): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void read(request).then(async (one) => {
      received.push(one);
      send(response, await reply(one, received.length - 1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function read(request: IncomingMessage): Promise<Received> {
  const { method = "", url = "", headers } = request;
  const body = await text(request);
  return { method, url, headers, body: body === "" ? undefined : JSON.parse(body) };
}

function send(response: ServerResponse, { status = 200, headers, body, fault }: Reply): void {
  if (fault === "hang") return;
  const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "object" ? { "content-type": "application/json" } : {};
  response.writeHead(status, { "x-request-id": "request-1", ...type, ...headers });
  if (fault === undefined) return void response.end(sent);
  response.write('{"data":');
  if (fault === "cut") setImmediate(() => response.destroy());
}
