import { notify, pendingNotification } from "../notifications.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import type { SubscriptionStates } from "./subscription-states.ts";

/** Time for which a subscription that was handed over is left to other workers. Afterwards this worker may lease it again. */
const avoidMs = 1_000;

type Options = Pick<DeliveryLoopOptions, "db" | "clock" | "maxInFlight" | "maxInFlightPerSubscription">;

/**
 * Shares busy subscriptions between workers. A worker with free slots requests subscriptions, and workers that have
 * reached their limits hand over some of theirs.
 */
export class Sharing {
  readonly #workerId: string;
  readonly #options: Options;
  readonly #states: SubscriptionStates;
  /**
   * Whether to request subscriptions, because the last query found nothing to lease while other workers lease
   * subscriptions with pending deliveries.
   */
  shouldAsk = false;
  /** Workers that requested subscriptions since the last `startHandOver`, with their free slots. */
  readonly #asked = new Map<string, number>();
  /** Subscriptions whose leases were returned for other workers, by worker. */
  readonly #returned = new Map<string, string[]>();

  constructor(workerId: string, options: Options, states: SubscriptionStates) {
    this.#workerId = workerId;
    this.#options = options;
    this.#states = states;
  }

  /**
   * Requests subscriptions if `shouldAsk` is set, there are enough free slots for one subscription, and no delivery
   * waits for a slot.
   */
  async ask(freeSlots: number): Promise<void> {
    if (!this.shouldAsk) return;
    this.shouldAsk = false;
    const delivering = this.#states.in("delivering").values();
    const someWait = delivering.some(({ leased }) => leased.maySend);
    if (freeSlots < this.#options.maxInFlightPerSubscription || someWait) return;
    await notify(this.#options.db, { kind: "share", worker: this.#workerId, freeSlots });
  }

  /** Handles the request of another worker. */
  asked(worker: string, freeSlots: number): void {
    if (worker !== this.#workerId) this.#asked.set(worker, freeSlots);
  }

  /**
   * Closes the subscriptions to hand over. The share of the busy subscriptions that a requesting worker gets is its
   * number of free slots divided by all slots of both workers. Call it after free slots were used, so that a
   * subscription that still waits is limited by this worker and not by its receiver.
   */
  startHandOver(): void {
    for (const [worker, freeSlots] of this.#asked) {
      const busy = [...this.#states.in("delivering").values()]
        .map(({ leased }) => leased)
        .filter((one) => one.isBusy);
      const share = Math.floor((busy.length * freeSlots) / (this.#options.maxInFlight + freeSlots));
      // Subscriptions with few attempts in flight are handed over first. A subscription whose receiver does not respond
      // can send nothing until its attempts time out.
      const heldBack = busy.filter((leased) => leased.maySend).sort((a, b) => a.inFlight - b.inFlight);
      for (const { id } of heldBack.slice(0, Math.max(share - this.#leaving, 0))) {
        this.#states.close(id, { to: "hand over", worker });
      }
    }
    this.#asked.clear();
  }

  /** Handles the return of a lease that another worker will take. */
  handOver(id: string, worker: string): void {
    this.#states.set(id, { name: "avoided", until: this.#options.clock() + avoidMs });
    this.#returned.set(worker, [...(this.#returned.get(worker) ?? []), id]);
  }

  /** Notifies the requesting workers of their subscriptions. If a notification is lost, they find them by polling. */
  async announce(): Promise<void> {
    const returned = [...this.#returned];
    this.#returned.clear();
    for (const [worker, ids] of returned) await notify(this.#options.db, pendingNotification(ids, worker));
  }

  /** Number of subscriptions that are being handed over. */
  get #leaving(): number {
    return this.#states
      .in("closing")
      .values()
      .filter(({ next }) => next.to === "hand over")
      .toArray().length;
  }
}
