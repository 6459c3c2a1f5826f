import type { DeliveryLoopOptions, StepName } from "./options.ts";
import { reportStepFailure } from "./reports.ts";

const firstBackoffMs = 100;
const longestBackoffMs = 5_000;

/** Step of a worker's database work. If it fails, it is retried with backoff while the other steps continue. Runs may overlap. */
export class Step {
  readonly #name: StepName;
  readonly #options: Pick<DeliveryLoopOptions, "log" | "observer">;
  readonly #wake: (() => void) | undefined;
  #failures = 0;
  #retryAt = 0;
  #failingSince: number | null = null;
  /** Starts of the runs that have not ended; ms of the monotonic clock. */
  readonly #running = new Map<symbol, number>();

  /** @param wake called when the next run is allowed after a failure */
  constructor(name: StepName, options: Pick<DeliveryLoopOptions, "log" | "observer">, wake?: () => void) {
    this.#name = name;
    this.#options = options;
    this.#wake = wake;
  }

  /** Since when every run has failed, or the oldest run has not ended; ms of the monotonic clock, null if neither is the case. */
  get troubledSince(): number | null {
    const [oldest = null] = this.#running.values();
    return this.#failingSince ?? oldest;
  }

  /** Milliseconds until the next run is allowed. */
  get retryInMs(): number {
    return Math.max(this.#retryAt - performance.now(), 0);
  }

  /** Runs the work, unless the step is backing off. Reports failures. @returns whether it ran and succeeded */
  async run(work: () => Promise<void>): Promise<boolean> {
    const now = performance.now();
    if (now < this.#retryAt) return false;
    const run = Symbol();
    this.#running.set(run, now);
    try {
      await work();
      this.#failures = 0;
      this.#failingSince = null;
      return true;
    } catch (error) {
      this.#failures += 1;
      this.#failingSince ??= now;
      const backoffMs = Math.min(firstBackoffMs * 2 ** (this.#failures - 1), longestBackoffMs);
      this.#retryAt = performance.now() + backoffMs;
      reportStepFailure(this.#options, this.#name, error);
      if (this.#wake) setTimeout(this.#wake, backoffMs).unref();
      return false;
    } finally {
      this.#running.delete(run);
    }
  }
}
