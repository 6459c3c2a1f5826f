import { announce, dueAnnouncement } from "../publish/announce.ts";
import type { Drain } from "./drain.ts";
import type { PumpOptions } from "./options.ts";

/** By the subscription's id. */
type Drains = ReadonlyMap<string, Drain>;

/** How long what was handed over is left to others; nobody may have taken it. */
const leaveMs = 1_000;

/**
 * Evens out what several workers have to do (decision 51): one that has room asks, and one that is held back by its own
 * limits hands subscriptions over.
 */
export class Sharing {
  readonly #workerId: string;
  readonly #options: PumpOptions;
  /** Whether the latest look found nothing to lease while others hold something: then it may ask once. */
  mayAsk = false;
  /** Who asked since the latest answer, and how many attempts at once it has room for. */
  readonly #asked = new Map<string, number>();
  /** Subscriptions that are handed over as soon as nothing of them is on its way, and to whom. */
  readonly #leaving = new Map<string, string>();
  /** Subscriptions that were handed over, and until when they are left alone; ms since 1970. */
  readonly #left = new Map<string, number>();

  constructor(workerId: string, options: PumpOptions) {
    this.#workerId = workerId;
    this.#options = options;
  }

  /** Asks the others for a share where it may, unless there is no room for a subscription, or something waits for a slot. */
  async ask(drains: Drains, freeSlots: number): Promise<void> {
    const { db, maxInFlightPerSubscription } = this.#options;
    if (!this.mayAsk) return;
    this.mayAsk = false;
    if (freeSlots < maxInFlightPerSubscription || drains.values().some((drain) => drain.maySend)) return;
    await announce(db, { kind: "share", worker: this.#workerId, room: freeSlots });
  }

  /** Takes note that a worker asked. */
  asked(worker: string, room: number): void {
    if (worker !== this.#workerId) this.#asked.set(worker, room);
  }

  /**
   * Closes what goes to those that asked: of what is busy the part that their room is of all slots, theirs and its own.
   *
   * @param drains after slots were given: who may send still is held back by the worker's limits
   */
  answer(drains: Drains): void {
    for (const [worker, room] of this.#asked) {
      const busy = [...drains.values()].filter((drain) => drain.isBusy && !drain.closing);
      const share = Math.floor((busy.length * room) / (this.#options.maxInFlight + room));
      // One whose receiver hangs would be sent nothing until its time-out: those with little on their way go first.
      const heldBack = busy.filter((drain) => drain.maySend).sort((a, b) => a.inFlight - b.inFlight);
      for (const drain of heldBack.slice(0, Math.max(share - this.#leaving.size, 0))) {
        drain.close();
        this.#leaving.set(drain.lease.subscriptionId, worker);
      }
    }
    this.#asked.clear();
  }

  /** Tells those that asked which of the leases that were given back are for them. */
  async returned(subscriptions: string[]): Promise<void> {
    const { db, clock } = this.#options;
    const now = clock();
    for (const [id, until] of this.#left) if (until <= now) this.#left.delete(id);
    const leaving = subscriptions.filter((id) => this.#leaving.has(id));
    const shares = Map.groupBy(leaving, (id) => this.#leaving.get(id));
    for (const id of leaving) {
      this.#leaving.delete(id);
      this.#left.set(id, now + leaveMs);
    }
    for (const [to, ids] of shares) await announce(db, dueAnnouncement(ids, to));
  }

  /** Whether a subscription is left to others. */
  isLeft(subscriptionId: string): boolean {
    return this.#leaving.has(subscriptionId) || (this.#left.get(subscriptionId) ?? 0) > this.#options.clock();
  }
}
