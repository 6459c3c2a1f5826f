import { randomBytes } from "node:crypto";
import { buildApp } from "@parley/api";
import { apiConfig } from "@parley/api/config";
import { requestsPerMinute } from "@parley/contract";
import { cpuSeconds, serve } from "../harness/serve.ts";

const commands = {
  /** Starts Parley's API with its default settings; resolves with its address. */
  async start(databaseUrl: string): Promise<string> {
    // The limiter counts every request as ever; only the number at which it would refuse is out of reach.
    requestsPerMinute.business = Number.MAX_SAFE_INTEGER;
    const app = await buildApp(
      apiConfig.parse({
        DATABASE_URL: databaseUrl,
        PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      }),
    );
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
  cpuSeconds,
};

export type RealServer = typeof commands;

serve(commands);
