import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { nowMs } from "../harness/clock.ts";
import { createRandom } from "../harness/random.ts";
import { serve } from "../harness/serve.ts";

/** One request that arrived whole. */
export interface Arrival {
  deliveryId: string;
  /** The id of the lead that the event tells of. */
  leadId: string;
  path: string;
  at: number;
  /** Whether it was answered 200. */
  accepted: boolean;
}

const random = createRandom(1);
const lead = '"data":{"id":"';
let arrivals: Arrival[] = [];

/** What a receiver does under a path's first part; whether it accepts. */
const behaviours: Record<string, (response: ServerResponse, leadId: string) => boolean> = {
  steady: accept,
  /** Accepts after a while, in which whoever asked may be gone. */
  slow(response) {
    setTimeout(() => accept(response), random.integer(20, 400));
    return true;
  },
  hanging: () => false,
  down: (response) => refuse(response, 503),
  /** Has its bad moments. */
  flaky(response) {
    if (random.chance(0.05)) return reset(response);
    if (random.chance(0.05)) return refuse(response, 500);
    return random.chance(0.02) ? false : accept(response);
  },
  /** Refuses one event in sixteen, however often it comes. */
  picky: (response, leadId) => (leadId.endsWith("0") ? refuse(response, 422) : accept(response)),
};

function accept(response: ServerResponse): boolean {
  response.end("ok");
  return true;
}

function refuse(response: ServerResponse, status: number): boolean {
  response.writeHead(status).end();
  return false;
}

function reset(response: ServerResponse): boolean {
  response.socket?.resetAndDestroy();
  return false;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const at = nowMs();
    const path = request.url ?? "";
    const body = Buffer.concat(chunks).toString("latin1");
    const start = body.indexOf(lead) + lead.length;
    const leadId = body.slice(start, start + 36);
    const accepted = behaviours[path.split("/")[1] ?? ""]?.(response, leadId) ?? refuse(response, 404);
    arrivals.push({ deliveryId: String(request.headers["x-parley-delivery"]), leadId, path, at, accepted });
  });
});
server.keepAliveTimeout = 60_000;

const commands = {
  /** Resolves with the address to which paths like `/steady/7` are added. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      });
    });
  },
  /** How many requests came since the last `take`. */
  count: () => arrivals.length,
  /** What came since the last `take`. */
  take(): Arrival[] {
    const taken = arrivals;
    arrivals = [];
    return taken;
  },
  /** Closes every connection, also those that hang. */
  disconnect: () => server.closeAllConnections(),
};

export type FaultyReceiver = typeof commands;

serve(commands);
