import { buildWorker, type Worker } from "@parley/worker";
import { workerConfig } from "@parley/worker/config";
import { cpuSeconds, serve } from "./child.ts";

const RealDate = Date;
let aheadMs = 0;
/** `Date` on a clock that was moved. */
class MovedDate extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(MovedDate.now());
    else super(...(parts as [number]));
  }

  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}

let worker: Worker | undefined;

const commands = {
  /**
   * Starts Parley's worker; it sends pending deliveries until it is stopped.
   *
   * @param variables environment variables of the worker; variables that are not given have their defaults
   */
  async start(variables: Record<string, string>): Promise<void> {
    worker = await buildWorker(workerConfig.parse(variables));
  },
  async stop(): Promise<void> {
    await worker?.stop();
    worker = undefined;
  },
  cpuSeconds,
  /** Returns the largest resident set size of the process so far, in MB. */
  mostMemory: () => process.resourceUsage().maxRSS / 1_000,
  /** Sets this process's wall clock ahead of the machine's, or back. The monotonic clock does not change. */
  moveClock(ms: number): void {
    aheadMs = ms;
    globalThis.Date = MovedDate as DateConstructor;
  },
};

export type RealWorker = typeof commands;

serve(commands);
