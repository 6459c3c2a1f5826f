import { buildApp } from "@parley/api";
import { apiConfig } from "@parley/api/config";
import { requestsPerMinute } from "@parley/contract";
import { cpuSeconds, serve } from "./child.ts";

const commands = {
  /**
   * Starts Parley's API; resolves with its address.
   *
   * @param variables as in its environment; the others have their defaults
   */
  async start(variables: Record<string, string>): Promise<string> {
    // The limiter counts every request as usual; only the number at which it would refuse is out of reach.
    requestsPerMinute.business = Number.MAX_SAFE_INTEGER;
    const app = await buildApp(apiConfig.parse(variables));
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
  cpuSeconds,
};

export type RealServer = typeof commands;

serve(commands);
