/** Rate limits of subscriptions. */

/** Time for which deliveries may be sent faster than the rate after a time without deliveries, in milliseconds. */
const burstMs = 100;

/**
 * Spreads the deliveries of a subscription evenly over time: the generic cell rate algorithm. Times are ms of the monotonic clock. Within any
 * second, it allows at most a tenth of the rate, but at least one delivery, more than the rate.
 */
export class Pace {
  readonly perSecond: number;
  readonly #intervalMs: number;
  /** Time at which the next delivery is due if all are spread evenly. */
  #dueAt = 0;

  readonly #wasUsed: () => void;

  /** @param wasUsed called for each delivery that is sent */
  constructor(perSecond: number, wasUsed: () => void = () => {}) {
    this.perSecond = perSecond;
    this.#wasUsed = wasUsed;
    this.#intervalMs = 1_000 / perSecond;
  }

  /** Returns the milliseconds until a delivery may be sent; 0 if it may be sent now. */
  waitMs(now: number): number {
    const tolerance = Math.max(burstMs - this.#intervalMs, 0);
    return Math.max(this.#dueAt - tolerance - now, 0);
  }

  /** Counts a delivery that is sent. */
  sent(now: number): void {
    this.#dueAt = Math.max(this.#dueAt, now) + this.#intervalMs;
    this.#wasUsed();
  }

  /** Whether it differs from a new one. */
  isUsed(now: number): boolean {
    return this.#dueAt > now;
  }
}

/** The paces of a worker's subscriptions, which outlast the leases. */
export class Paces {
  readonly #paces = new Map<string, Pace>();

  /** Returns the pace of a subscription. @param now ms of the monotonic clock */
  of(subscriptionId: string, perSecond: number, now: number): Pace {
    for (const [id, pace] of this.#paces) if (!pace.isUsed(now)) this.#paces.delete(id);
    const before = this.#paces.get(subscriptionId);
    if (before?.perSecond === perSecond) return before;
    // Kept only from its use on: a subscription may be leased for long before it sends something.
    const pace: Pace = new Pace(perSecond, () => this.#paces.set(subscriptionId, pace));
    return pace;
  }
}
