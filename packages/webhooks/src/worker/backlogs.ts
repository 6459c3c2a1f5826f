import type { LeasedSubscription } from "./leased-subscription.ts";

/** Delay between two fetches of a backlog in milliseconds, which limits it to 2,000 deliveries per second. */
const pauseMs = 16;
/**
 * Minimum delay as a multiple of the duration of a fetch, so that backlogs are fetched less often on a busy machine.
 */
const pauseFactor = 4;

/** Subscriptions for which deliveries are fetched now. */
interface FetchPlan {
  now: LeasedSubscription[];
  /** Subscriptions with a backlog, which are fetched concurrently so that other subscriptions do not wait. */
  concurrently: LeasedSubscription[];
  /** Milliseconds until the next paused backlog may be fetched; null if none is paused. */
  nextMs: number | null;
}

/**
 * Plans the next fetch. The backlog of a fast receiver could keep the worker and the database busy while subscriptions
 * with few deliveries wait. While there are such subscriptions, backlogs are therefore fetched concurrently and with
 * delays.
 *
 * @param all the subscriptions in state `delivering`; each was busy within the last second
 * @param at ms of the monotonic clock
 */
export function planFetch(all: LeasedSubscription[], at: number): FetchPlan {
  const needing = all.filter((leased) => leased.needsFetch);
  if (all.every(({ fetched }) => fetched.hasBacklog)) {
    // If one subscription needs a fetch, all are fetched, because a statement costs more than its rows.
    const now = needing.length > 0 ? all.filter((leased) => leased.wanted > 0) : [];
    return { now, concurrently: [], nextMs: null };
  }
  const backlogs = needing.filter(({ fetched }) => fetched.hasBacklog);
  const paused = backlogs.map(({ fetched }) => fetched.pausedUntil - at).filter((leftMs) => leftMs > 0);
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
