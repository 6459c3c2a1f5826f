import { abortable } from "./abortable.ts";

/** Time and randomness of a client. Replace it in tests. */
export interface Clock {
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason if the signal is aborted first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => {
    let timer: ReturnType<typeof setTimeout>;
    const time = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    return abortable(time, signal).finally(() => clearTimeout(timer));
  },
};
