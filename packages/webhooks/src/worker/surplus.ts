import type { LeasedSubscription } from "./leased-subscription.ts";
import type { AllLeases } from "./leases.ts";

/**
 * Chooses the subscriptions that a worker leaves to others: as many as it leases beyond its equal share of all leases. Only subscriptions that wait for a
 * slot of this worker are chosen, since another worker could send for them at once. The ones with the fewest attempts in flight come first, because
 * a lease ends when they have ended, which takes until the timeout if a receiver does not respond.
 *
 * @param delivering the subscriptions that this worker delivers to
 */
export function chooseSurplus<Leased extends Pick<LeasedSubscription, "maySend" | "inFlight">>(
  delivering: Leased[],
  { workers, leases }: AllLeases,
): Leased[] {
  const surplus = delivering.length - Math.ceil(leases / workers);
  const waiting = delivering.filter(({ maySend }) => maySend).sort((a, b) => a.inFlight - b.inFlight);
  return waiting.slice(0, Math.max(surplus, 0));
}
