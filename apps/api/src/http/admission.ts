/** Which requests a busy server accepts, so that one organization does not delay the others. */

export interface AdmissionLimits {
  /** Requests in flight from which organizations with many of them are refused; 0 for no limit. */
  maxInFlight: number;
  /** Mean delay of the event loop from which fewer requests are accepted, in milliseconds; 0 for no limit. */
  maxDelayMs: number;
}

/** With at least this fraction of the maximum in flight, an organization may not exceed its share. */
const busyFraction = 0.25;
/** With this many times the maximum in flight, every request is refused. */
const fullFactor = 2;
/** Factor by which the maximum falls while the event loop is delayed, and fraction of it by which it rises again. */
const fall = 0.7;
const rise = 0.1;
const lowestFraction = 0.1;

/**
 * Counts requests in flight by organization. While the server is busy, an organization may have as many as its share: the maximum divided by
 * the number of organizations with requests in flight. An organization without requests in flight is refused only if the server is full.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #inFlight = new Map<string, number>();
  #total = 0;
  /** The maximum now, lower than configured while the event loop is delayed. */
  #max: number;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#max = limits.maxInFlight;
  }

  /** Number of requests in flight. */
  get inFlight(): number {
    return this.#total;
  }

  /**
   * Counts a request of an organization as in flight.
   *
   * @returns a function that ends this, which may be called repeatedly; undefined if the request is refused
   */
  admit(organizationId: string): (() => void) | undefined {
    const own = this.#inFlight.get(organizationId) ?? 0;
    if (this.#limits.maxInFlight > 0 && this.#refuses(own)) return undefined;
    this.#inFlight.set(organizationId, own + 1);
    this.#total += 1;
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      this.#end(organizationId);
    };
  }

  /** Adapts the maximum to the mean delay of the event loop in the last interval. @param ms undefined if it was not measured */
  adapt(ms: number): void {
    const { maxInFlight, maxDelayMs } = this.#limits;
    const isDelayed = maxDelayMs > 0 && ms > maxDelayMs;
    const next = isDelayed ? this.#max * fall : this.#max + maxInFlight * rise;
    this.#max = Math.min(Math.max(next, maxInFlight * lowestFraction), maxInFlight);
  }

  #refuses(own: number): boolean {
    if (this.#total >= this.#max * fullFactor) return true;
    const organizations = this.#inFlight.size + (own === 0 ? 1 : 0);
    const isBusy = this.#total >= this.#max * (organizations > 1 ? busyFraction : 1);
    return isBusy && own >= Math.max(1, Math.floor(this.#max / organizations));
  }

  #end(organizationId: string): void {
    this.#total -= 1;
    const left = (this.#inFlight.get(organizationId) ?? 1) - 1;
    if (left === 0) this.#inFlight.delete(organizationId);
    else this.#inFlight.set(organizationId, left);
  }
}
