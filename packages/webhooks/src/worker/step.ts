const firstBackoffMs = 100;
const longestBackoffMs = 5_000;

/** Milliseconds to wait after the n-th consecutive failure of database work. */
export function stepBackoff(failures: number): number {
  return Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
}

/** One kind of database work of a worker. While it fails it is retried with backoff, and the other steps go on. */
export class Step<Name extends string = string> {
  readonly name: Name;
  readonly #onFailure: (name: Name, error: unknown, retryInMs: number) => void;
  #failures = 0;
  #retryAt = 0;
  /** Since when every run failed; ms of the monotonic clock, null while it works. */
  failingSince: number | null = null;

  /** @param onFailure receives every error, with the time until the next run is allowed */
  constructor(name: Name, onFailure: (name: Name, error: unknown, retryInMs: number) => void) {
    this.name = name;
    this.#onFailure = onFailure;
  }

  /** Runs the work, unless it backs off. @returns whether it ran and succeeded */
  async run(work: () => Promise<void>): Promise<boolean> {
    const now = performance.now();
    if (now < this.#retryAt) return false;
    try {
      await work();
      this.#failures = 0;
      this.failingSince = null;
      return true;
    } catch (error) {
      this.#failures += 1;
      this.failingSince ??= now;
      const retryInMs = stepBackoff(this.#failures);
      this.#retryAt = performance.now() + retryInMs;
      this.#onFailure(this.name, error, retryInMs);
      return false;
    }
  }
}
