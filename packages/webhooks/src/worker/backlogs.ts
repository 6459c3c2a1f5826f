import type { Drain } from "./drain.ts";

/** How long a backlog rests from one fetch to the next: it is sent at 2,000 a second at most. */
const restMs = 16;
/** And how many times as long as the fetch took, so that it takes less where the machine is busy. */
const restFactor = 4;

/** Who is to be fetched for now. */
export interface FetchPlan {
  now: Drain[];
  /** Beside the others, who are not to wait for it. */
  beside: Drain[];
  /** Milliseconds until a backlog that rests may be fetched for; null when none rests. */
  nextMs: number | null;
}

/**
 * Where a receiver is quick its backlog alone would keep the worker and the database busy, and those that have little due
 * would wait. So while there are such, backlogs are fetched for beside them, and rest in between.
 *
 * @param all every drain: each was busy within the last second
 * @param at ms of the monotonic clock
 */
export function planFetch(all: Drain[], at: number): FetchPlan {
  const hungry = all.filter((drain) => drain.isHungry);
  if (all.every((drain) => drain.hasBacklog)) {
    // Who is fetched for at all is fetched for together with the others: statements cost more than rows.
    return {
      now: hungry.length > 0 ? all.filter((drain) => drain.wanted > 0) : [],
      beside: [],
      nextMs: null,
    };
  }
  const backlogs = hungry.filter((drain) => drain.hasBacklog);
  const resting = backlogs.filter((drain) => drain.restsUntil > at).map((drain) => drain.restsUntil - at);
  return {
    now: hungry.filter((drain) => !drain.hasBacklog),
    beside: backlogs.filter((drain) => drain.restsUntil <= at),
    nextMs: resting.length > 0 ? Math.min(...resting) : null,
  };
}

/** @param from when the fetch began; `at` when it ended; ms of the monotonic clock */
export function restAfter(from: number, at: number): number {
  return from + Math.max(restMs, restFactor * (at - from));
}
