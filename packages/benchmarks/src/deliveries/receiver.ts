import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { nowMs } from "../harness/clock.ts";
import { serve } from "../harness/serve.ts";
import type { Certificate } from "./certificate.ts";

/** One request of many, kept whole so that its signature can be checked afterwards. */
export interface Sample {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Arrivals {
  /** Delivery ids in the order of their arrival, one for each request. */
  ids: string[];
  firstAt: number;
  lastAt: number;
  samples: Sample[];
}

const sampleEvery = 500;
let arrivals = none();
let takesMs = 0;

function none(): Arrivals {
  return { ids: [], firstAt: 0, lastAt: 0, samples: [] };
}

const receive: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    arrivals.lastAt = nowMs();
    arrivals.firstAt ||= arrivals.lastAt;
    if (arrivals.ids.length % sampleEvery === 0) {
      arrivals.samples.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
    }
    arrivals.ids.push(String(request.headers["x-parley-delivery"]));
    if (takesMs > 0) setTimeout(() => response.end("ok"), takesMs);
    else response.end("ok");
  });
};

const commands = {
  /**
   * Resolves with the address to post to.
   *
   * @param options.certificate where it is given, that is an https one
   * @param options.takesMs how long it takes to answer; it answers at once unless given
   */
  start(options: { certificate?: Certificate; takesMs?: number } = {}): Promise<string> {
    const { certificate } = options;
    takesMs = options.takesMs ?? 0;
    const server = certificate ? createTlsServer(certificate, receive) : createServer(receive);
    server.keepAliveTimeout = 60_000;
    return new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo;
        resolve(`${certificate ? "https" : "http"}://127.0.0.1:${port}/hooks/parley`);
      });
    });
  },
  /** How many requests came since the last `take`. */
  count: () => arrivals.ids.length,
  /** What came since the last `take`. */
  take(): Arrivals {
    const taken = arrivals;
    arrivals = none();
    return taken;
  },
};

export type Receiver = typeof commands;

serve(commands);
