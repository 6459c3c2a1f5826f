import type { Notification } from "../notifications.ts";
import { Fetching } from "./fetching.ts";
import type { LeasedSubscription } from "./leased-subscription.ts";
import { type AllLeases, returnLeases } from "./leases.ts";
import { Leasing } from "./leasing.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import { Passes } from "./passes.ts";
import { QueueBeginnings } from "./queue-beginnings.ts";
import { Recorder } from "./recorder.ts";
import { Sender } from "./sender.ts";
import { SubscriptionStates } from "./subscription-states.ts";

/**
 * Delivery loop of a worker: takes leases, fetches pending deliveries, sends them within the limits, passes results to
 * the recorder, and returns leases. It runs a pass whenever something has changed. When an attempt ends, the next one
 * starts immediately. `SubscriptionStates` contains the state of each subscription.
 */
export class DeliveryLoop {
  readonly #options: DeliveryLoopOptions;
  readonly #workerId: string;
  readonly #states = new SubscriptionStates();
  readonly #passes = new Passes(() => this.#pass());
  readonly #recorder: Recorder;
  readonly #sender: Sender;
  readonly #leasing: Leasing;
  readonly #fetching: Fetching;
  readonly #beginnings = new QueueBeginnings();
  /** Iterator over the subscriptions in state `delivering`, which starts again at the end. */
  #rotation = this.#states.in("delivering").values();
  /** Sends when a rate limit allows it. */
  #paceTimer: NodeJS.Timeout | undefined;

  constructor(workerId: string, options: DeliveryLoopOptions) {
    this.#options = options;
    this.#workerId = workerId;
    const wake = () => this.#passes.wake();
    const sendAndWake = () => {
      this.#send(); // Uses a free slot immediately, without waiting for the statements of a pass.
      wake();
    };
    this.#recorder = new Recorder(workerId, options, this.#states, sendAndWake);
    this.#sender = new Sender(options, this.#recorder, sendAndWake);
    this.#leasing = new Leasing(workerId, options, this.#states, wake);
    this.#fetching = new Fetching(workerId, options, this.#states, this.#beginnings, {
      wake,
      fetched: sendAndWake,
    });
  }

  /** Handles a notification. */
  notified(notification: Notification): void {
    if (notification.kind === "changed") {
      this.#beginnings.forget(notification.subscription);
      this.#states.changed(notification.subscription);
    } else if (notification.subscriptions === "all") this.#leasing.lookRequested = true;
    else {
      const now = this.#options.clock();
      for (const id of notification.subscriptions) this.#states.pending(id, now);
    }
    this.#passes.wake();
  }

  /** Looks for pending deliveries in the database, independently of notifications. */
  look(): void {
    this.#leasing.lookRequested = true;
    this.#passes.wake();
  }

  /** Leaves subscriptions to other workers if this one has more than its share, and not enough slots. */
  balance(all: AllLeases): void {
    this.#send(); // Uses the free slots, so that what still waits is limited by this worker and not by its receiver.
    this.#leasing.leaveSurplus(all);
    this.#passes.wake();
  }

  /** Since when a step has failed or has not ended; ms of the monotonic clock, null if all work. */
  get troubledSince(): number | null {
    const { look, take, return: returning } = this.#leasing.steps;
    const steps = [look, take, returning, this.#fetching.step, this.#recorder.step];
    const since = steps.flatMap(({ troubledSince }) => troubledSince ?? []);
    return since.length > 0 ? Math.min(...since) : null;
  }

  /** Sends nothing more, waits for the attempts in flight, records them and returns all leases. */
  async stop(): Promise<void> {
    clearTimeout(this.#paceTimer);
    await this.#passes.stop();
    for (const { leased } of this.#states.in("delivering").values()) leased.fetched.clear();
    await this.#sender.finished();
    try {
      await this.#recorder.flush();
      await returnLeases(this.#options.db, this.#workerId, this.#states.leasedIds());
    } catch (error) {
      this.#options.log.error({ err: error }, "returning leases failed; they end with the database session");
    }
  }

  /**
   * Ends after the session was lost. Sends nothing more. Attempts in flight are still recorded, unless another worker has leased their
   * subscription. Resolves when that is done, or after `abandon`.
   */
  async retire(): Promise<void> {
    this.#sender.retire();
    clearTimeout(this.#paceTimer);
    await this.#passes.stop();
    this.#states.clear();
    await this.#sender.finished();
    await this.#recorder.flush();
  }

  /** Records nothing more. */
  abandon(): void {
    this.#recorder.abandon();
  }

  async #pass(): Promise<void> {
    if (this.#leasing.mustReturn) await this.#leasing.return();
    this.#leasing.look();
    await this.#leasing.take();
    if (this.#passes.isStopped) return;
    await this.#fetching.fetch();
    if (this.#passes.isStopped) return;
    this.#send();
    await this.#leasing.return(); // After sending, so that pending deliveries do not wait for it.
  }

  /** Gives slots to subscriptions in turn, so that a long queue does not block others. */
  #send(): void {
    const delivering = this.#states.in("delivering");
    let passedOver = 0;
    let nextMs: number | null = null;
    while (!this.#passes.isStopped && this.#sender.freeSlots > 0 && passedOver < delivering.size) {
      const leased = this.#nextInTurn();
      const maySend = leased?.maySend && this.#sender.hasSlotFor(leased.lease);
      const delivery = maySend ? leased.take() : undefined;
      passedOver = delivery ? 0 : passedOver + 1;
      if (leased && delivery) void this.#sender.send(leased, delivery);
      const sendsInMs = leased?.sendsInMs ?? null;
      if (sendsInMs !== null) nextMs = Math.min(sendsInMs, nextMs ?? sendsInMs);
    }
    if (nextMs !== null) this.#sendIn(nextMs);
  }

  #sendIn(ms: number): void {
    clearTimeout(this.#paceTimer);
    this.#paceTimer = setTimeout(() => {
      this.#send();
      this.#passes.wake();
    }, Math.ceil(ms));
  }

  #nextInTurn(): LeasedSubscription | undefined {
    const next = this.#rotation.next();
    if (!next.done) return next.value.leased;
    this.#rotation = this.#states.in("delivering").values();
    return this.#rotation.next().value?.leased;
  }
}
