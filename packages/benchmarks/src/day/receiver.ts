import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkEvent } from "@parley/contract/testing";
import { verifyWebhook } from "../../../sdk/src/webhooks/verify.ts";
import { nowMs } from "../harness/clock.ts";
import { cpuSeconds, serve } from "../harness/serve.ts";
import { type Gist, gistOf } from "./gist.ts";

/** Everything that came. */
export interface Received {
  gists: Gist[];
  /** What was wrong with deliveries, in words: signature, headers, or a body that breaks the contract. */
  faults: string[];
}

const received: Received = { gists: [], faults: [] };
const secrets = new Map<string, string>();
let requests = 0;
let [firstAt, lastAt] = [0, 0];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => void answer(request, Buffer.concat(chunks), response));
});
server.keepAliveTimeout = 60_000;

async function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
  lastAt = nowMs();
  firstAt ||= lastAt;
  requests += 1;
  const problems = await receive(request, body);
  received.faults.push(...problems.map((problem) => `${request.url}: ${problem}`));
  response.statusCode = problems.length === 0 ? 200 : 400;
  response.end();
}

/** Keeps the event if it is signed with the path's secret and keeps to the contract; otherwise says why not. */
async function receive({ url = "", headers }: IncomingMessage, payload: Buffer): Promise<string[]> {
  try {
    const event = await verifyWebhook({ payload, headers, secret: secrets.get(url) ?? "" });
    const told = headers["x-parley-event"];
    if (told !== event.type) return [`the header says ${String(told)}, the body ${event.type}`];
    const problems = checkEvent(event.type, event);
    if (problems.length === 0) received.gists.push(gistOf(url, event));
    return problems.map((problem) => `${event.type} ${event.id}: ${problem}`);
  } catch (error) {
    return [String(error)];
  }
}

const commands = {
  /** Resolves with the address to which paths are added. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      });
    });
  },
  /** From now on deliveries to the path have to be signed with the secret. */
  expect(path: string, secret: string): void {
    secrets.set(path, secret);
  },
  /** How many requests came so far, and when the first and the last of them did. */
  arrivals: () => ({ requests, firstAt, lastAt }),
  /** Everything so far. */
  all: () => received,
  cpuSeconds,
};

export type Receiver = typeof commands;

serve(commands);
