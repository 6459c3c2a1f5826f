import { connect } from "@parley/database";
import { Agent } from "undici";
import { cpuSeconds, serve } from "../harness/child.ts";
import { concurrency, createPoster, type Delivery, type Sender } from "./sender.ts";

let queue: Delivery[] = [];

const sender: Sender = {
  enqueue(deliveries) {
    queue = deliveries;
  },
  /** Signs and posts from memory, without a database. */
  async run(url) {
    const poster = createPoster(url);
    const remaining = queue.values();
    async function sendRemaining(): Promise<void> {
      for (const delivery of remaining) await poster.post(delivery);
    }
    await Promise.all(Array.from({ length: concurrency }, sendRemaining));
    await poster.close();
  },
  cpuSeconds,
};

const commands = {
  ...sender,
  /** Posts every notification of the channel without a signature. */
  async listen(databaseUrl: string, channel: string, url: string): Promise<void> {
    const { origin, pathname: path } = new URL(url);
    const agent = new Agent({ keepAliveTimeout: 30_000 });
    const client = await connect(databaseUrl);
    client.on("error", () => {});
    async function post(body: string): Promise<void> {
      const response = await agent.request({ origin, path, method: "POST", body });
      await response.body.dump();
    }
    client.on("notification", ({ payload = "" }) => void post(payload));
    await client.query(`LISTEN ${channel}`);
  },
};

export type BareLoop = typeof commands;

serve(commands);
