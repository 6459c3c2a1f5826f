import autocannon from "autocannon";
import { serve } from "../harness/serve.ts";

export interface Target {
  url: string;
  headers: Record<string, string>;
}

export interface Load {
  requests: number;
  perSecond: number;
}

const connections = 10;

const commands = {
  /**
   * Asks as fast as answers come, over 10 connections.
   *
   * @throws when one answer was not 200: then the figure would mean nothing
   */
  async run({ url, headers }: Target, seconds: number): Promise<Load> {
    const startedAt = performance.now();
    const result = await autocannon({ url, headers, connections, duration: seconds });
    const elapsed = (performance.now() - startedAt) / 1_000;
    if (result.non2xx + result.errors + result.timeouts > 0 || result["2xx"] === 0) {
      throw new Error(
        `${url}: ${result.non2xx} refused, ${result.errors} failed, ${result.timeouts} timed out`,
      );
    }
    return { requests: result["2xx"], perSecond: result["2xx"] / elapsed };
  },
};

export type LoadGenerator = typeof commands;

serve(commands);
