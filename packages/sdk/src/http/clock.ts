import { abortable } from "./abortable.ts";

/** Time and chance, to be replaced in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

/** The clock of the machine. */
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
