import { notify, pendingNotification } from "../notifications.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import type { SubscriptionStates } from "./subscription-states.ts";

/** How long a subscription that was handed over is left to others; none of them may have taken it. */
const avoidMs = 1_000;

type Options = Pick<DeliveryLoopOptions, "db" | "clock" | "maxInFlight" | "maxInFlightPerSubscription">;

/**
 * Shares busy subscriptions between workers: a worker with free slots asks, and a worker that is held back by its own limits
 * hands subscriptions over.
 */
export class Sharing {
  readonly #workerId: string;
  readonly #options: Options;
  readonly #states: SubscriptionStates;
  /** Whether to ask: the last look found nothing to lease, while other workers lease busy subscriptions. */
  shouldAsk = false;
  /** Workers that asked since the last answer, and how many free slots each has. */
  readonly #asked = new Map<string, number>();
  /** Subscriptions whose leases were returned for other workers, by worker. */
  readonly #returned = new Map<string, string[]>();

  constructor(workerId: string, options: Options, states: SubscriptionStates) {
    this.#workerId = workerId;
    this.#options = options;
    this.#states = states;
  }

  /** Asks the others for a share if it should, has slots for a whole subscription, and nothing waits for a slot. */
  async ask(freeSlots: number): Promise<void> {
    if (!this.shouldAsk) return;
    this.shouldAsk = false;
    const delivering = this.#states.in("delivering").values();
    const someWait = delivering.some(({ leased }) => leased.maySend);
    if (freeSlots < this.#options.maxInFlightPerSubscription || someWait) return;
    await notify(this.#options.db, { kind: "share", worker: this.#workerId, freeSlots });
  }

  /** Handles the news that a worker asked. */
  asked(worker: string, freeSlots: number): void {
    if (worker !== this.#workerId) this.#asked.set(worker, freeSlots);
  }

  /**
   * Closes the subscriptions that go to workers that asked: the share of the busy ones that corresponds to their free
   * slots among all slots, theirs and its own. Call it after slots were filled: a subscription that may still send is held back by
   * this worker's limits.
   */
  answer(): void {
    for (const [worker, freeSlots] of this.#asked) {
      const busy = [...this.#states.in("delivering").values()]
        .map(({ leased }) => leased)
        .filter((one) => one.isBusy);
      const share = Math.floor((busy.length * freeSlots) / (this.#options.maxInFlight + freeSlots));
      // A subscription whose receiver hangs gets nothing until its time-out: those with few attempts in flight go first.
      const heldBack = busy.filter((leased) => leased.maySend).sort((a, b) => a.inFlight - b.inFlight);
      for (const { id } of heldBack.slice(0, Math.max(share - this.#leaving, 0))) {
        this.#states.close(id, { to: "hand over", worker });
      }
    }
    this.#asked.clear();
  }

  /** Handles the return of a lease that is for another worker. */
  handOver(id: string, worker: string): void {
    this.#states.set(id, { name: "avoided", until: this.#options.clock() + avoidMs });
    this.#returned.set(worker, [...(this.#returned.get(worker) ?? []), id]);
  }

  /** Tells the workers that asked which subscriptions are for them. If this is lost, they find them by looking. */
  async announce(): Promise<void> {
    const returned = [...this.#returned];
    this.#returned.clear();
    for (const [worker, ids] of returned) await notify(this.#options.db, pendingNotification(ids, worker));
  }

  /** How many subscriptions are about to be handed over. */
  get #leaving(): number {
    return this.#states
      .in("closing")
      .values()
      .filter(({ next }) => next.to === "hand over")
      .toArray().length;
  }
}
