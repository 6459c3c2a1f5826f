import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { nowMs } from "../harness/clock.ts";
import { serve } from "../harness/serve.ts";

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

function none(): Arrivals {
  return { ids: [], firstAt: 0, lastAt: 0, samples: [] };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    arrivals.lastAt = nowMs();
    arrivals.firstAt ||= arrivals.lastAt;
    if (arrivals.ids.length % sampleEvery === 0) {
      arrivals.samples.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
    }
    arrivals.ids.push(String(request.headers["x-parley-delivery"]));
    response.end("ok");
  });
});
server.keepAliveTimeout = 60_000;

const commands = {
  /** Resolves with the address to post to. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/parley`);
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
