import type { LeasedSubscription } from "./leased-subscription.ts";

/** Pause of a backlog between two fetches: it is sent at 2,000 deliveries a second at most. */
const restMs = 16;
/** Pause as a multiple of how long the fetch took, so that backlogs are fetched less often on a busy machine. */
const restFactor = 4;

/** The subscriptions to fetch for now. */
interface FetchPlan {
  now: LeasedSubscription[];
  /** Concurrently, so that the others do not wait for it. */
  concurrently: LeasedSubscription[];
  /** Milliseconds until the next resting backlog may be fetched; null if none rests. */
  nextMs: number | null;
}

/**
 * Plans the next fetch. If a receiver is fast, its backlog could keep the worker and the database busy while subscriptions
 * with few deliveries wait. So while there are such, backlogs are fetched concurrently and rest in between.
 *
 * @param all the subscriptions that are being delivered to; each was busy within the last second
 * @param at ms of the monotonic clock
 */
export function planFetch(all: LeasedSubscription[], at: number): FetchPlan {
  const hungry = all.filter((leased) => leased.isHungry);
  if (all.every(({ fetched }) => fetched.hasBacklog)) {
    // If one has to be fetched for, all are: a statement costs more than its rows.
    const now = hungry.length > 0 ? all.filter((leased) => leased.wanted > 0) : [];
    return { now, concurrently: [], nextMs: null };
  }
  const backlogs = hungry.filter(({ fetched }) => fetched.hasBacklog);
  const resting = backlogs.map(({ fetched }) => fetched.restsUntil - at).filter((restMs) => restMs > 0);
  return {
    now: hungry.filter(({ fetched }) => !fetched.hasBacklog),
    concurrently: backlogs.filter(({ fetched }) => fetched.restsUntil <= at),
    nextMs: resting.length > 0 ? Math.min(...resting) : null,
  };
}

/** Returns until when a backlog rests. @param from when its fetch started; `at` when it ended; ms of the monotonic clock */
export function restAfter(from: number, at: number): number {
  return from + Math.max(restMs, restFactor * (at - from));
}
