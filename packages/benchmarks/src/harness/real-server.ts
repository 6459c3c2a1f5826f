import { buildApp } from "@parley/api";
import { apiConfig } from "@parley/api/config";
import { requestsPerMinute } from "@parley/contract";
import { cpuSeconds, serve } from "./child.ts";

const commands = {
  /**
   * Starts Parley's API; resolves with its address.
   *
   * @param variables environment variables of the server; variables that are not given have their defaults
   */
  async start(variables: Record<string, string>): Promise<string> {
    // The limiter counts every request as usual, but never refuses one.
    requestsPerMinute.business = Number.MAX_SAFE_INTEGER;
    const app = await buildApp(apiConfig.parse(variables));
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
  cpuSeconds,
};

export type RealServer = typeof commands;

serve(commands);
