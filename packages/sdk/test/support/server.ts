import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** Request that the test server received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Response of the test server. Default: 200 with an empty body. */
export interface TestResponse {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Body, sent as JSON unless it is a string. */
  readonly body?: unknown;
  /** `incomplete body`: the connection stays open. `disconnect`: it is closed in the body. */
  readonly fault?: "no response" | "disconnect" | "incomplete body";
}

export interface TestServer {
  readonly baseUrl: string;
  readonly received: ReceivedRequest[];
}

/**
 * Starts an HTTP server that is closed when the test ends.
 *
 * @param respond - returns the response to a request; `count` is 0 for the first request
 */
export async function startTestServer(
  respond: (request: ReceivedRequest, count: number) => TestResponse | Promise<TestResponse>,
): Promise<TestServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void read(request).then(async (incoming) => {
      received.push(incoming);
      send(response, await respond(incoming, received.length - 1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function read(request: IncomingMessage): Promise<ReceivedRequest> {
  const { method = "", url = "", headers } = request;
  const body = await text(request);
  return { method, url, headers, body: body === "" ? undefined : JSON.parse(body) };
}

function send(response: ServerResponse, { status = 200, headers, body, fault }: TestResponse): void {
  if (fault === "no response") return;
  const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "object" ? { "content-type": "application/json" } : {};
  response.writeHead(status, { "x-request-id": "request-1", ...type, ...headers });
  if (fault === undefined) return void response.end(sent);
  response.write('{"data":');
  if (fault === "disconnect") setImmediate(() => response.destroy());
}
