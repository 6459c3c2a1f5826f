import type { Pool } from "pg";
import type { Dispatcher } from "undici";
import { type AttemptResult, attempt } from "../delivery/attempt.ts";
import { type GatePolicy, pause } from "../delivery/gate.ts";
import { signedHeaders } from "../delivery/sign.ts";
import type { Announcement } from "../publish/announce.ts";
import type { SecretBox } from "../secret-box.ts";
import { Drain } from "./drain.ts";
import { type DueDelivery, fetchDue } from "./due-deliveries.ts";
import { findDueSubscriptions, giveBackLeases, takeLeases } from "./leases.ts";
import { Recorder } from "./recorder.ts";
import type { GateRecord } from "./results.ts";

export interface PumpOptions {
  db: Pool;
  client: Dispatcher;
  secretBox: SecretBox;
  gatePolicy: GatePolicy;
  /** Attempts after which a single delivery is given up while others succeed. */
  maxAttempts: number;
  maxInFlight: number;
  maxInFlightPerSubscription: number;
  /** Milliseconds for one attempt. */
  timeoutMs: number;
  /** Milliseconds since 1970. */
  clock: () => number;
  log: Logger;
}

export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How long an idle subscription stays leased, in case more comes. */
const lingerMs = 1_000;
/** How long a subscription may keep its place while others wait for one. */
const turnMs = 1_000;

/**
 * Drains leased subscriptions: takes leases, fetches what is due, sends within the limits, hands results to the
 * recorder, gives leases back. `step` does what can be done at the moment and is called again whenever something
 * changed; a slot that becomes free is refilled at once, whatever the others do.
 */
export class Pump {
  readonly #options: PumpOptions;
  readonly #workerId: string;
  readonly #recorder: Recorder;
  readonly #drains = new Map<string, Drain>();
  readonly #announced = new Set<string>();
  #inFlight = 0;
  #look = true;
  #stepping = false;
  #again = false;
  #stopped = false;
  #idle: (() => void) | undefined;

  constructor(workerId: string, options: PumpOptions) {
    this.#options = options;
    this.#workerId = workerId;
    this.#recorder = new Recorder(
      options.db,
      workerId,
      () => this.#changed(),
      (error) => options.log.error({ err: error }, "results could not be recorded; retrying"),
    );
  }

  /** Takes note of an announcement. */
  announced(announcement: Announcement): void {
    if (announcement.kind === "changed") this.#drop(announcement.subscription);
    else if (announcement.subscriptions === "all") this.#look = true;
    else for (const id of announcement.subscriptions) this.#noteDue(id);
    this.#changed();
  }

  /** Looks for due deliveries in the database, whatever was announced. */
  look(): void {
    this.#look = true;
    this.#changed();
  }

  /** Sends nothing more, waits for what is on its way, records it and gives everything back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const drain of this.#drains.values()) drain.waiting = [];
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    try {
      await this.#recorder.flush();
      await giveBackLeases(this.#options.db, this.#workerId, [...this.#drains.keys()]);
    } catch (error) {
      this.#options.log.error({ err: error }, "leases could not be given back; they end with the session");
    }
  }

  /** Nothing here is ours any more. */
  abandon(): void {
    this.#stopped = true;
    this.#recorder.abandon();
    this.#drains.clear();
  }

  #noteDue(subscriptionId: string): void {
    const drain = this.#drains.get(subscriptionId);
    if (drain) drain.mayHaveMore = true;
    else this.#announced.add(subscriptionId);
  }

  #drop(subscriptionId: string): void {
    const drain = this.#drains.get(subscriptionId);
    if (!drain) return;
    drain.closing = true;
    drain.waiting = [];
  }

  #changed(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (!this.#stepping) void this.#run();
  }

  async #run(): Promise<void> {
    this.#stepping = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#step();
      } catch (error) {
        this.#options.log.error({ err: error }, "the delivery pump could not reach the database");
      }
    }
    this.#stepping = false;
  }

  async #step(): Promise<void> {
    await this.#giveBack();
    await this.#lease();
    await this.#fetch();
    this.#send();
  }

  async #giveBack(): Promise<void> {
    const now = this.#options.clock();
    const done = [...this.#drains.values()].filter(
      (drain) => drain.isIdle && (drain.closing || !drain.isOpen || now - drain.lastBusyAt >= lingerMs),
    );
    if (done.length === 0) return;
    const ids = done.map((drain) => drain.lease.subscriptionId);
    await giveBackLeases(this.#options.db, this.#workerId, ids);
    for (const id of ids) this.#drains.delete(id);
  }

  async #lease(): Promise<void> {
    const { db, clock, maxInFlight } = this.#options;
    const places = maxInFlight - this.#drains.size;
    const now = clock();
    const candidates = [...this.#announced].slice(0, Math.max(places, 0));
    for (const id of candidates) this.#announced.delete(id);
    if (this.#look) {
      this.#look = false;
      // One more than there is room for tells whether somebody has to make room.
      const due = await findDueSubscriptions(db, new Date(now), Math.max(places - candidates.length, 0) + 1);
      if (due.length + candidates.length > places) this.#makeRoom(now);
      candidates.push(...due.slice(0, Math.max(places - candidates.length, 0)));
    }
    if (candidates.length === 0) return;
    for (const lease of await takeLeases(db, this.#workerId, candidates, new Date(now)))
      this.#begin(lease, now);
  }

  #begin(lease: Awaited<ReturnType<typeof takeLeases>>[number], now: number): void {
    const { secretBox, gatePolicy, maxInFlightPerSubscription, log } = this.#options;
    try {
      const secret = secretBox.open(lease.secret, lease.organizationId);
      const drain = new Drain(lease, secret, gatePolicy, maxInFlightPerSubscription, now);
      this.#drains.set(lease.subscriptionId, drain);
    } catch (error) {
      // The lease is kept, so that the log holds one line and not one each half second.
      log.error({ err: error, subscription: lease.subscriptionId }, "the signing secret cannot be read");
    }
  }

  /** Subscriptions that had their turn give their place to others. */
  #makeRoom(now: number): void {
    for (const drain of this.#drains.values()) if (now - drain.leasedAt >= turnMs) drain.closing = true;
  }

  async #fetch(): Promise<void> {
    const { db, clock } = this.#options;
    const hungry = [...this.#drains.values()].filter((drain) => drain.wanted > 0);
    if (hungry.length === 0) return;
    const wanted = hungry.map((drain) => ({
      subscriptionId: drain.lease.subscriptionId,
      count: drain.wanted,
      probe: drain.isProbing,
    }));
    const known = hungry.flatMap((drain) => [...drain.unrecorded, ...drain.waiting.map(({ id }) => id)]);
    for (const drain of hungry) drain.mayHaveMore = false;
    const now = clock();
    const due = await fetchDue(db, wanted, known, new Date(now));
    const counts = new Map<Drain, number>();
    for (const delivery of due) {
      const drain = this.#drains.get(delivery.subscriptionId);
      if (!drain || drain.closing || !drain.isOpen) continue;
      drain.waiting.push(delivery);
      drain.lastBusyAt = now;
      counts.set(drain, (counts.get(drain) ?? 0) + 1);
    }
    for (const [i, drain] of hungry.entries()) {
      // A full answer means that there may be more; an announcement meanwhile says so too.
      if ((counts.get(drain) ?? 0) >= (wanted[i]?.count ?? 0)) drain.mayHaveMore = true;
    }
  }

  /** One round gives each subscription one slot, so that a long queue does not push others aside. */
  #send(): void {
    let sent = !this.#stopped;
    while (sent && this.#inFlight < this.#options.maxInFlight) {
      sent = false;
      for (const drain of this.#drains.values()) {
        if (this.#inFlight >= this.#options.maxInFlight) break;
        if (drain.freeSlots <= 0) continue;
        const delivery = drain.take();
        if (!delivery) continue;
        sent = true;
        void this.#deliver(drain, delivery);
      }
    }
  }

  async #deliver(drain: Drain, delivery: DueDelivery): Promise<void> {
    const { client, clock, timeoutMs } = this.#options;
    const startedAt = clock();
    this.#inFlight += 1;
    const signed = { deliveryId: delivery.id, eventType: delivery.eventType, body: delivery.body };
    const headers = signedHeaders(signed, drain.secret, startedAt);
    const result = await attempt(client, {
      url: drain.lease.targetUrl,
      headers,
      body: delivery.body,
      timeoutMs,
    });
    this.#inFlight -= 1;
    drain.inFlight -= 1;
    this.#settle(drain, delivery, startedAt, result);
    if (this.#inFlight === 0) this.#idle?.();
    this.#send(); // The slot is refilled now, not after the queries of a step.
    this.#changed();
  }

  #settle(drain: Drain, delivery: DueDelivery, startedAt: number, result: AttemptResult): void {
    const { clock, gatePolicy, maxAttempts } = this.#options;
    const now = clock();
    drain.lastBusyAt = now;
    const gateChanged = result.delivered
      ? drain.succeeded()
      : drain.failedOnce({ startedAt, now, retryAfterMs: result.retryAfterMs, gone: result.gone });
    const attempts = delivery.attempts + 1;
    // A delivery whose subscription just failed is held, not given up.
    const exhausted = attempts >= maxAttempts && !drain.failed;
    this.#recorder.add({
      drain,
      attempt: {
        delivery,
        lease: drain.lease,
        outcome: result.delivered ? "delivered" : exhausted ? "exhausted" : "failed",
        attemptedAt: new Date(startedAt),
        durationMs: result.durationMs,
        statusCode: result.statusCode,
        error: result.error,
        responseBody: result.responseBody,
        nextAt: new Date(now + pause(gatePolicy, attempts)),
      },
      gate: gateChanged ? this.#gateRecord(drain, result) : null,
    });
  }

  #gateRecord(drain: Drain, result: AttemptResult): GateRecord {
    const { lease, gate, failed } = drain;
    if (failed) {
      const details = {
        subscription: lease.subscriptionId,
        organization: lease.organizationId,
        reason: result.error,
      };
      this.#options.log.warn(details, "a webhook subscription has failed and is paused");
    }
    return {
      subscriptionId: lease.subscriptionId,
      failureCount: gate.failures,
      status: failed ? "failed" : "active",
      gateUntil: gate.closedUntil > 0 ? new Date(gate.closedUntil) : null,
    };
  }
}
