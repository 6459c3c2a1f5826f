import { createHmac } from "node:crypto";
import { Agent } from "undici";
import { cpuSeconds, serve } from "../harness/serve.ts";
import type { Due } from "./seed.ts";

/** As many as Parley's worker has on their way at once by default. */
const concurrency = 128;

const agent = new Agent({ keepAliveTimeout: 30_000 });
let due: Due[] = [];

const commands = {
  load(deliveries: Due[]): void {
    due = deliveries;
  },
  /** Signs and posts everything that was loaded; nothing is read from or written to a database. */
  async run(url: string): Promise<void> {
    const { origin, pathname: path } = new URL(url);
    let next = 0;
    async function sendInTurn(): Promise<void> {
      for (let delivery = due[next++]; delivery; delivery = due[next++]) {
        const { body } = delivery;
        const headers = signed(delivery);
        const response = await agent.request({ origin, path, method: "POST", headers, body });
        await response.body.dump();
        if (response.statusCode !== 200) throw new Error(`the receiver answered ${response.statusCode}`);
      }
    }
    await Promise.all(Array.from({ length: concurrency }, sendInTurn));
  },
  cpuSeconds,
};

export type BareLoop = typeof commands;

serve(commands);

/** The headers that Parley sends, with both of its signatures. */
function signed({ id, eventType, body, secret }: Due): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hex = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const base64 = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1",
    "x-parley-signature": `sha256=${hex}`,
    "x-parley-timestamp": timestamp,
    "x-parley-event": eventType,
    "x-parley-delivery": id,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${base64}`,
  };
}
