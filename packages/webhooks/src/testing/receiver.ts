import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Sends the response. Default: 200. */
  respond: (response: ServerResponse, received: Received) => void;
  close(): Promise<void>;
}

/** Starts a fake receiver, an HTTP server that stores the requests it receives. */
export async function startReceiver(respond = thanking): Promise<Receiver> {
  const receiver: Receiver = {
    url: "",
    received: [],
    respond,
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const received = { headers: request.headers, body };
      receiver.received.push(received);
      receiver.respond(response, received);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** Responds with 200 and a body. */
export const thanking: Receiver["respond"] = (response) => void response.end("thanks");

/** Responds with a status and no body. */
export function respondingWith(status: number, headers: Record<string, string> = {}): Receiver["respond"] {
  return (response) => response.writeHead(status, headers).end();
}

/** Holds requests without a response; `release` responds to them and to all later requests. */
export function holding(): { respond: Receiver["respond"]; release: (respond: Receiver["respond"]) => void } {
  const waiting: Parameters<Receiver["respond"]>[] = [];
  let decided: Receiver["respond"] | undefined;
  return {
    respond: (...request) => (decided ? decided(...request) : waiting.push(request)),
    release(respond) {
      decided = respond;
      for (const request of waiting.splice(0)) respond(...request);
    },
  };
}
