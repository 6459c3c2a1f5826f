import type { PendingDelivery, Position } from "./pending-deliveries.ts";

/** Deliveries of a leased subscription that were fetched and not yet sent, and the position of the next fetch. */
export class FetchedDeliveries {
  #waiting: PendingDelivery[] = [];
  /** Whether the database may contain more pending deliveries. */
  mayHaveMore = true;
  /**
   * Position up to which a long queue was read, so that the next fetch does not scan deliveries that were already sent.
   * Deliveries that were committed late may be before this position. Therefore reading starts at the beginning again
   * after the end of the queue.
   */
  readTo: Position | null = null;
  /** Whether the last fetch returned as many deliveries as requested, so that there is a backlog. */
  hasBacklog = false;
  /** While other subscriptions are active, a backlog is not fetched before this time; ms of the monotonic clock. */
  pausedUntil = 0;
  isFetching = false;
  /** Whether nothing more is fetched, because other subscriptions wait to be leased. */
  isEnding = false;

  get waiting(): readonly PendingDelivery[] {
    return this.#waiting;
  }

  fetchStarted(): void {
    this.isFetching = true;
    this.mayHaveMore = false; // A notification during the fetch sets this to true again.
  }

  /** @param succeeded whether deliveries were read; after a failure, there may be more than known */
  fetchEnded(succeeded: boolean): void {
    this.isFetching = false;
    if (!succeeded) this.mayHaveMore = true;
  }

  /** Adds the result of a fetch. @param full whether as many deliveries were returned as requested */
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
