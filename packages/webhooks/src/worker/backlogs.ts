import type { LeasedSubscription } from "./leased-subscription.ts";

/** Pause of a backlog between two fetches, which limits it to 2,000 deliveries per second. */
const pauseMs = 16;
/** Pause as a multiple of the fetch's duration, so that backlogs are fetched less often on a busy machine. */
const pauseFactor = 4;

/** The subscriptions to fetch for now. */
interface FetchPlan {
  now: LeasedSubscription[];
  /** Concurrently, so that the others do not wait for it. */
  concurrently: LeasedSubscription[];
  /** Milliseconds until the next paused backlog may be fetched; null if none is paused. */
  nextMs: number | null;
}

/**
 * Plans the next fetch. The backlog of a fast receiver could keep the worker and the database busy while subscriptions with few
 * deliveries wait. So while there are such subscriptions, backlogs are fetched concurrently and with pauses.
 *
 * @param all the subscriptions in state `delivering`; each was busy within the last second
 * @param at ms of the monotonic clock
 */
export function planFetch(all: LeasedSubscription[], at: number): FetchPlan {
  const needing = all.filter((leased) => leased.needsFetch);
  if (all.every(({ fetched }) => fetched.hasBacklog)) {
    // If one needs a fetch, all are fetched: a statement costs more than its rows.
    const now = needing.length > 0 ? all.filter((leased) => leased.wanted > 0) : [];
    return { now, concurrently: [], nextMs: null };
  }
  const backlogs = needing.filter(({ fetched }) => fetched.hasBacklog);
  const paused = backlogs.map(({ fetched }) => fetched.pausedUntil - at).filter((pauseMs) => pauseMs > 0);
  return {
    now: needing.filter(({ fetched }) => !fetched.hasBacklog),
    concurrently: backlogs.filter(({ fetched }) => fetched.pausedUntil <= at),
    nextMs: paused.length > 0 ? Math.min(...paused) : null,
  };
}

/** Returns until when a backlog is paused. @param from start of its fetch; `at` is the end; ms of the monotonic clock */
export function pauseAfter(from: number, at: number): number {
  return from + Math.max(pauseMs, pauseFactor * (at - from));
}
