import { connect } from "@parley/database";
import { Agent } from "undici";
import { serve } from "../harness/serve.ts";

const agent = new Agent({ keepAliveTimeout: 30_000 });

const commands = {
  /** Posts whatever is told on the channel. */
  async start(databaseUrl: string, channel: string, url: string): Promise<void> {
    const { origin, pathname: path } = new URL(url);
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

export type BareSender = typeof commands;

serve(commands);
