import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { checkEvent } from "@parley/contract/testing";
import { verifyWebhook } from "../../../sdk/src/webhooks/verify.ts";
import { cpuSeconds, serve } from "./child.ts";
import { createRandom } from "./random.ts";
import { nowMs } from "./time.ts";

/** A request that arrived completely. */
export interface Arrival {
  deliveryId: string;
  /** The id of the record in the event. */
  recordId: string;
  path: string;
  /** When it arrived, by `nowMs`. */
  at: number;
  /** Whether the response was 200. */
  accepted: boolean;
  /** Every 500th request, kept so that its signature can be checked afterwards. */
  sample?: { headers: IncomingHttpHeaders; body: string };
  /** The event, if the receiver knows the secret of the path. */
  event?: object;
  /** Errors of the signature, headers or body, if the receiver knows the secret of the path. */
  problems?: string[];
}

const random = createRandom(1);
const sampleEvery = 500;
const recordStart = '"data":{"id":"';
const secrets = new Map<string, string>();
let arrivals: Arrival[] = [];
const checks: Promise<void>[] = [];
let closeConnections = () => {};

/** Behaviors of the receiver, by the first part of the path. Each returns whether it accepts the request. */
const behaviours: Record<string, (response: ServerResponse, recordId: string) => boolean> = {
  steady: (response) => accept(response),
  slow: (response) => accept(response, random.integer(20, 400)),
  "after-20-ms": (response) => accept(response, 20),
  "after-1500-ms": (response) => accept(response, 1_500),
  hanging: () => false,
  down: (response) => refuse(response, 503),
  /** Fails at random. */
  flaky(response) {
    if (random.chance(0.05)) {
      response.socket?.resetAndDestroy();
      return false;
    }
    if (random.chance(0.05)) return refuse(response, 500);
    return random.chance(0.02) ? false : accept(response);
  },
  /** Refuses one event in sixteen at each attempt. */
  picky: (response, recordId) => (recordId.endsWith("0") ? refuse(response, 422) : accept(response)),
};

/** @param ms after which it responds; the client may have disconnected before */
function accept(response: ServerResponse, ms = 0): boolean {
  if (ms > 0) setTimeout(() => response.end("ok"), ms);
  else response.end("ok");
  return true;
}

function refuse(response: ServerResponse, status: number): boolean {
  response.writeHead(status).end();
  return false;
}

const receive: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const at = nowMs();
    const { url: path = "", headers } = request;
    const payload = Buffer.concat(chunks);
    const head = payload.toString("utf8", 0, 2_048);
    const start = head.indexOf(recordStart) + recordStart.length;
    const recordId = head.slice(start, start + 36);
    const behaviour = behaviours[path.split("/")[1] ?? ""];
    const accepted = behaviour ? behaviour(response, recordId) : refuse(response, 404);
    const deliveryId = String(headers["x-parley-delivery"]);
    const arrival: Arrival = { deliveryId, recordId, path, at, accepted };
    if (arrivals.length % sampleEvery === 0) arrival.sample = { headers, body: payload.toString("utf8") };
    arrivals.push(arrival);
    const secret = secrets.get(path);
    if (secret) checks.push(check(arrival, { payload, headers, secret }, String(headers["x-parley-event"])));
  });
};

type Request = Parameters<typeof verifyWebhook>[0];

/** Adds the event to the arrival, and its violations of the contract. */
async function check(arrival: Arrival, request: Request, header: string): Promise<void> {
  try {
    const event = await verifyWebhook(request);
    const problems = checkEvent(event.type, event);
    if (header !== event.type) problems.push(`the header has the type ${header}`);
    arrival.event = event;
    arrival.problems = problems.map((problem) => `${event.type} ${event.id}: ${problem}`);
  } catch (error) {
    arrival.problems = [String(error)];
  }
}

const commands = {
  /**
   * Starts to listen; resolves with the address to which a path such as `/steady/7` is added.
   *
   * @param certificate makes it an https server
   */
  start(certificate?: { key: string; cert: string }): Promise<string> {
    const server = certificate ? createTlsServer(certificate, receive) : createServer(receive);
    server.keepAliveTimeout = 60_000;
    closeConnections = () => server.closeAllConnections();
    return new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo;
        resolve(`${certificate ? "https" : "http"}://127.0.0.1:${port}`);
      });
    });
  },
  /** Checks deliveries to the path from now on: signature, headers and body. */
  expect(path: string, secret: string): void {
    secrets.set(path, secret);
  },
  /** Returns the number of requests since the last `take`. */
  count: () => arrivals.length,
  /** Returns the requests since the last `take`, in the order of their arrival. */
  async take(): Promise<Arrival[]> {
    const taken = arrivals;
    arrivals = [];
    await Promise.all(checks.splice(0));
    return taken;
  },
  /** Closes every connection, including those of requests without a response. */
  disconnect: () => closeConnections(),
  cpuSeconds,
};

export type Receiver = typeof commands;

serve(commands);
