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
  answer: (response: ServerResponse, received: Received) => void;
  close(): Promise<void>;
}

/** Starts a fake receiver, an HTTP server that stores the requests it receives. */
export async function startReceiver(answer?: Receiver["answer"]): Promise<Receiver> {
  const receiver: Receiver = {
    url: "",
    received: [],
    answer: answer ?? ((response) => response.end("thanks")),
    async close() {
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
      receiver.answer(response, received);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** Responds with a status and no body. */
export function answering(status: number, headers: Record<string, string> = {}): Receiver["answer"] {
  return (response) => response.writeHead(status, headers).end();
}

/** Holds requests without a response; `release` responds to them and to all later requests. */
export function holding(): { answer: Receiver["answer"]; release: (answer: Receiver["answer"]) => void } {
  const waiting: Parameters<Receiver["answer"]>[] = [];
  let decided: Receiver["answer"] | undefined;
  return {
    answer: (...request) => (decided ? decided(...request) : waiting.push(request)),
    release(answer) {
      decided = answer;
      for (const request of waiting.splice(0)) answer(...request);
    },
  };
}
