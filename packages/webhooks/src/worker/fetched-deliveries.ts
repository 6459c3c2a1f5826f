import type { PendingDelivery } from "./pending-deliveries.ts";

/**
 * Deliveries of a leased subscription that were fetched and not yet sent, and the position of the next fetch. Of the deliveries of one
 * record, only the first can be sent; the next one can when the outcome of the first is recorded.
 */
export class FetchedDeliveries {
  #waiting: PendingDelivery[] = [];
  /** By record, the deliveries that follow one that is waiting, in flight or not yet recorded. */
  readonly #following = new Map<string, PendingDelivery[]>();
  #followingCount = 0;
  /** Whether the database may contain more pending deliveries. */
  mayHaveMore = true;
  /**
   * Delivery up to which a long queue was read, so that the next fetch does not scan deliveries that were already sent.
   * Deliveries that were committed late may be before this position. Therefore reading starts at the beginning again
   * after the end of the queue.
   */
  readTo: PendingDelivery | null = null;
  /** Whether the last fetch returned as many deliveries as requested, so that there is a backlog. */
  hasBacklog = false;
  /** While other subscriptions are active, a backlog is not fetched before this time; ms of the monotonic clock. */
  pausedUntil = 0;
  isFetching = false;
  /** Whether nothing more is fetched, because other subscriptions wait to be leased. */
  isEnding = false;

  /** Deliveries that can be sent. */
  get waiting(): readonly PendingDelivery[] {
    return this.#waiting;
  }

  /** Deliveries that were fetched and not yet sent. */
  get all(): PendingDelivery[] {
    return [...this.#waiting, ...[...this.#following.values()].flat()];
  }

  /** Their number. */
  get count(): number {
    return this.#waiting.length + this.#followingCount;
  }

  /** Records with deliveries that were fetched and are not yet recorded. */
  get records(): string[] {
    return [...this.#following.keys()];
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
    for (const delivery of deliveries) this.#addOne(delivery);
    this.hasBacklog = full;
    const last = deliveries.at(-1);
    if (full || this.readTo) this.mayHaveMore = true;
    this.readTo = full && last && !isProbe ? last : null;
  }

  #addOne(delivery: PendingDelivery): void {
    const { recordKey } = delivery;
    const following = recordKey === null ? undefined : this.#following.get(recordKey);
    if (following) {
      following.push(delivery);
      this.#followingCount += 1;
    } else {
      this.#waiting.push(delivery);
      if (recordKey !== null) this.#following.set(recordKey, []);
    }
  }

  take(): PendingDelivery | undefined {
    return this.#waiting.shift();
  }

  /** Lets the next delivery of a record be sent, after the outcome of one is recorded. */
  recorded({ recordKey }: PendingDelivery): void {
    const following = recordKey === null ? undefined : this.#following.get(recordKey);
    if (recordKey === null || !following) return;
    const next = following.shift();
    if (next) {
      this.#waiting.push(next);
      this.#followingCount -= 1;
    } else {
      this.#following.delete(recordKey);
      this.mayHaveMore = true;
    }
  }

  /** Drops what was fetched and not sent; it is still in the database. */
  clear(): void {
    for (const { recordKey } of this.#waiting) if (recordKey !== null) this.#following.delete(recordKey);
    for (const recordKey of this.#following.keys()) this.#following.set(recordKey, []);
    this.#waiting = [];
    this.#followingCount = 0;
    this.readTo = null;
  }
}
