import { type AttemptResult, attempt } from "../delivery/attempt.ts";
import { pause } from "../delivery/gate.ts";
import { signedHeaders } from "../delivery/sign.ts";
import { noticeOf } from "../notices/notice.ts";
import type { Drain } from "./drain.ts";
import type { DueDelivery } from "./due-deliveries.ts";
import type { Lease } from "./leases.ts";
import type { GateState, PumpOptions } from "./options.ts";
import type { Recorder } from "./recorder.ts";
import type { GateRecord } from "./results.ts";

/** Signs and sends deliveries, decides what each result means, and hands that to the recorder. */
export class Sender {
  readonly #options: PumpOptions;
  readonly #recorder: Recorder;
  readonly #slotFreed: () => void;
  #inFlight = 0;
  /** By organization. */
  readonly #inFlightOf = new Map<string, number>();
  #idle: (() => void) | undefined;

  constructor(options: PumpOptions, recorder: Recorder, slotFreed: () => void) {
    this.#options = options;
    this.#recorder = recorder;
    this.#slotFreed = slotFreed;
  }

  get freeSlots(): number {
    return this.#options.maxInFlight - this.#inFlight;
  }

  /** Whether an organization may send more: it has half of the slots at most, so that others find one. */
  hasSlotFor({ organizationId }: Lease): boolean {
    return (this.#inFlightOf.get(organizationId) ?? 0) < Math.ceil(this.#options.maxInFlight / 2);
  }

  /** Resolves when nothing is on its way any more. */
  async finished(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  /** @param delivery one that was taken from the drain */
  async send(drain: Drain, delivery: DueDelivery): Promise<void> {
    const { client, clock, timeoutMs } = this.#options;
    const startedAt = clock();
    this.#count(drain.lease, 1);
    this.#options.observer?.sending();
    const { id: deliveryId, eventType, body } = delivery;
    const headers = signedHeaders({ deliveryId, eventType, body }, drain.secretAt(startedAt), startedAt);
    const result = await attempt(client, { url: drain.lease.targetUrl, headers, body, timeoutMs });
    this.#count(drain.lease, -1);
    drain.inFlight -= 1;
    this.#settle(drain, delivery, startedAt, result);
    if (this.#inFlight === 0) this.#idle?.();
    this.#slotFreed();
  }

  #count({ organizationId }: Lease, change: 1 | -1): void {
    this.#inFlight += change;
    const ofOrganization = (this.#inFlightOf.get(organizationId) ?? 0) + change;
    if (ofOrganization > 0) this.#inFlightOf.set(organizationId, ofOrganization);
    else this.#inFlightOf.delete(organizationId);
  }

  #settle(drain: Drain, delivery: DueDelivery, startedAt: number, result: AttemptResult): void {
    const { clock, gatePolicy, maxAttempts } = this.#options;
    const now = clock();
    drain.lastBusyAt = now;
    const failuresBefore = drain.gate.failures;
    const gateChanged = result.delivered
      ? drain.succeeded()
      : drain.failedOnce({ startedAt, now, retryAfterMs: result.retryAfterMs, gone: result.gone });
    const attempts = delivery.attempts + 1;
    // In an outage it is kept for later: it is given up while others succeed.
    const exhausted = attempts >= maxAttempts && !drain.isOutage;
    const outcome = result.delivered ? "delivered" : exhausted ? "exhausted" : "failed";
    const { durationMs, statusCode } = result;
    this.#options.observer?.attempted({ outcome, durationMs, ageMs: now - madeAt(delivery) });
    if (outcome === "exhausted") this.#tellExhausted(drain.lease, delivery, result.error);
    this.#recorder.add({
      drain,
      attempt: {
        delivery,
        lease: drain.lease,
        outcome,
        attemptedAt: startedAt,
        durationMs,
        statusCode,
        error: result.error,
        responseBody: result.responseBody,
        nextAt: now + pause(gatePolicy, attempts),
      },
      gate: gateChanged ? this.#gateRecord(drain, result, failuresBefore, now) : null,
    });
  }

  #gateRecord(drain: Drain, result: AttemptResult, failuresBefore: number, now: number): GateRecord {
    const { lease, gate, failed } = drain;
    const { subscriptionId, targetUrl } = lease;
    const state = gateState(drain, result, failuresBefore);
    if (state) this.#tell(state, lease, result.error);
    const told = state && this.#options.notices;
    return {
      subscriptionId,
      targetUrl,
      failuresBefore,
      failureCount: gate.failures,
      status: failed ? "failed" : "active",
      gateUntil: gate.closedUntil > 0 ? new Date(gate.closedUntil) : null,
      reason: result.error,
      notices: told ? [noticeOf(state, lease, gate.failures, result.error, now)] : [],
    };
  }

  #tellExhausted(
    { subscriptionId, organizationId }: Lease,
    { id }: DueDelivery,
    reason: string | null,
  ): void {
    const details = { delivery: id, subscription: subscriptionId, organization: organizationId, reason };
    this.#options.log.warn(details, "a delivery was given up");
  }

  #tell(state: GateState, { subscriptionId, organizationId }: Lease, reason: string | null): void {
    const { log, observer } = this.#options;
    observer?.gateMoved(state);
    const details = { subscription: subscriptionId, organization: organizationId, ...(reason && { reason }) };
    if (state === "recovered") log.info(details, "a webhook subscription works again");
    else if (state === "failing") log.warn(details, "a webhook subscription began to fail");
    else log.warn(details, "a webhook subscription has failed and is paused");
  }
}

/** A delivery's id is a UUIDv7, which begins with its time; ms since 1970. */
function madeAt({ id }: DueDelivery): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** What the operator should hear of; null while a failing one goes on failing. */
function gateState(
  { failed }: Drain,
  { delivered }: AttemptResult,
  failuresBefore: number,
): GateState | null {
  if (delivered) return "recovered";
  if (failed) return "failed";
  return failuresBefore === 0 ? "failing" : null;
}
