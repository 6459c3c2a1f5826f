import { buildWorker, type Worker } from "@parley/worker";
import { workerConfig } from "@parley/worker/config";
import { serve } from "../harness/serve.ts";
import { moveClock } from "./moved-clock.ts";

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
  moveClock,
};

export type FaultyWorker = typeof commands;

serve(commands);
