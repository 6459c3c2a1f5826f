import { NIL } from "uuid";
import type { PendingDelivery, Position } from "./pending-deliveries.ts";

/** A delivery may be committed this much later than it was created. Changes of the API take at most 5 seconds. */
const latestCommitMs = 10_000;
/** Interval at which a queue is read from its true beginning, for a delivery that was committed later still. */
const wholeEveryMs = 60_000;
/** Maximum number of subscriptions whose beginning is remembered. */
const mostRemembered = 10_000;

interface Beginning {
  /** Creation of the newest delivery that was found, in PostgreSQL's format. */
  newest: string;
  /** No older delivery is pending; in PostgreSQL's format. */
  oldest: string;
  /** When the whole queue was read; ms of the monotonic clock. */
  wholeAt: number;
}

/**
 * Where the pending deliveries of subscriptions begin, which outlasts the leases. While another session has an old snapshot, PostgreSQL cannot
 * remove the rows of earlier deliveries, and each read from the true beginning would pass all of them.
 */
export class QueueBeginnings {
  readonly #beginnings = new Map<string, Beginning>();

  /** Returns where to begin reading; null for the true beginning. @param now ms of the monotonic clock */
  of(subscriptionId: string, now: number): Position | null {
    const beginning = this.#beginnings.get(subscriptionId);
    if (!beginning || now - beginning.wholeAt >= wholeEveryMs) return null;
    return {
      nextAt: new Date(Date.parse(beginning.oldest) - latestCommitMs).toISOString(),
      id: NIL,
      recordKey: null,
    };
  }

  /**
   * Handles that a queue was read from its beginning to its end.
   *
   * @param pending all deliveries that are pending and due
   * @param from where the read began, see `of`
   * @param at when it began; ms of the monotonic clock
   */
  wasRead(subscriptionId: string, pending: PendingDelivery[], from: Position | null, at: number): void {
    const before = this.#beginnings.get(subscriptionId);
    this.#beginnings.delete(subscriptionId);
    let newest = before?.newest ?? "";
    for (const { nextAt, attempts } of pending) {
      if (attempts === 0 && nextAt > newest) newest = nextAt; // Later attempts are planned with the worker's clock.
    }
    if (newest === "") return;
    let oldest = newest;
    for (const { nextAt } of pending) if (nextAt < oldest) oldest = nextAt;
    const wholeAt = from && before ? before.wholeAt : at;
    this.#beginnings.set(subscriptionId, { newest, oldest, wholeAt });
    const [first] = this.#beginnings.keys();
    if (first !== undefined && this.#beginnings.size > mostRemembered) this.#beginnings.delete(first);
  }

  /** Forgets the beginning of a queue, because resuming a subscription plans its deliveries earlier. */
  forget(subscriptionId: string): void {
    this.#beginnings.delete(subscriptionId);
  }
}
