import { buildWorker, type Worker } from "@parley/worker";
import { workerConfig } from "@parley/worker/config";
import { moveClock } from "./moved-clock.ts";
import { cpuSeconds, serve } from "./serve.ts";

let worker: Worker | undefined;

const commands = {
  /**
   * Starts Parley's worker; it sends what is due until it is stopped.
   *
   * @param variables as in its environment; the others have their defaults
   */
  async start(variables: Record<string, string>): Promise<void> {
    worker = await buildWorker(workerConfig.parse(variables));
  },
  async stop(): Promise<void> {
    await worker?.stop();
    worker = undefined;
  },
  cpuSeconds,
  moveClock,
};

export type RealWorker = typeof commands;

serve(commands);
