import type { PendingDelivery, Position } from "./pending-deliveries.ts";

/** The deliveries of one leased subscription that were fetched and not sent, and what is known about those behind them. */
export class FetchedDeliveries {
  #waiting: PendingDelivery[] = [];
  /** Whether the database may hold more pending deliveries. */
  mayHaveMore = true;
  /**
   * How far a long queue was read, so that the next fetch does not scan what was sent meanwhile. A delivery that commits late
   * may be before this position: after its end, the queue is read from the beginning again.
   */
  readTo: Position | null = null;
  /** Whether the last fetch returned as many as were asked for: there is a backlog. */
  hasBacklog = false;
  /** While other subscriptions are active, a backlog is not fetched before this time; ms of the monotonic clock. */
  restsUntil = 0;
  isFetching = false;
  /** Whether nothing more is fetched, because other subscriptions wait for a place. */
  isEnding = false;

  get waiting(): readonly PendingDelivery[] {
    return this.#waiting;
  }

  fetchStarted(): void {
    this.isFetching = true;
    this.mayHaveMore = false; // A notification during the fetch says that there is more.
  }

  /** @param succeeded after a failure, the database may hold as much as before */
  fetchEnded(succeeded: boolean): void {
    this.isFetching = false;
    if (!succeeded) this.mayHaveMore = true;
  }

  /** Adds the result of a fetch. @param full whether as many were returned as were asked for */
  add(deliveries: PendingDelivery[], { full, isProbe }: { full: boolean; isProbe: boolean }): void {
    this.#waiting.push(...deliveries);
    this.hasBacklog = full;
    const last = deliveries.at(-1);
    if (full || this.readTo) this.mayHaveMore = true;
    this.readTo = full && last && !isProbe ? { nextAt: last.nextAt, id: last.id } : null;
  }

  take(): PendingDelivery | undefined {
    return this.#waiting.shift();
  }

  /** Drops what was fetched and not sent; it is still in the database. */
  clear(): void {
    this.#waiting = [];
    this.readTo = null;
  }
}
