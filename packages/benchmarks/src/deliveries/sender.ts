import { createHmac } from "node:crypto";
import { Agent } from "undici";
import type { Subscriber } from "../harness/seed.ts";

/** As many as Parley's worker has in flight by default. */
export const concurrency = 128;

/** One pending delivery of an event that has no other one. */
export interface Delivery extends Subscriber {
  id: string;
  eventId: string;
  body: string;
}

/** A program, run as a process, that is compared with Parley's worker. */
export type Sender = {
  /** Replaces its queue with these deliveries, and sends nothing yet. */
  enqueue(deliveries: Delivery[]): void | Promise<void>;
  /** Sends all deliveries to an address. @param count number of deliveries */
  run(url: string, count: number): Promise<void>;
  cpuSeconds(): number;
};

/** Signs and posts deliveries. It opens new connections, as a worker does after its start. */
export function createPoster(url: string) {
  const { origin, pathname: path } = new URL(url);
  const agent = new Agent({ keepAliveTimeout: 30_000, allowH2: false });
  return {
    /** @throws Error if the status of the response is not 200 */
    async post(delivery: Delivery): Promise<void> {
      const headers = signedHeaders(delivery);
      const response = await agent.request({ origin, path, method: "POST", headers, body: delivery.body });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`the receiver responded with ${response.statusCode}`);
    },
    close: () => agent.close(),
  };
}

/** Returns the headers that Parley sends, with both of its signatures. */
export function signedHeaders(
  { id, body, secret }: Delivery,
  timestamp = String(Math.floor(Date.now() / 1_000)),
): Record<string, string> {
  const hex = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const base64 = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1",
    "x-parley-signature": `sha256=${hex}`,
    "x-parley-timestamp": timestamp,
    "x-parley-event": "lead.created",
    "x-parley-delivery": id,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${base64}`,
  };
}
