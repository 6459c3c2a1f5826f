import { type AttemptResult, attempt, notSent } from "../delivery/attempt.ts";
import { backoff } from "../delivery/circuit-breaker.ts";
import { deliveryHeaders, sign } from "../delivery/sign.ts";
import { storedExchange } from "../log/exchange.ts";
import type { SubscriptionHealth } from "../notices/notice.ts";
import { noticeOf } from "../notices/notice.ts";
import type { LeasedSubscription } from "./leased-subscription.ts";
import type { Lease } from "./leases.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import type { PendingDelivery } from "./pending-deliveries.ts";
import type { Recorder } from "./recorder.ts";
import type { CircuitRecord } from "./results.ts";
import { mayUse } from "./shares.ts";
import { endAttempt, traceAttempt } from "./trace-attempt.ts";

/** An attempt uses a slot for each of these bytes that its body begins, so that large bodies in flight delay no others. */
const bytesOfSlot = 32_768;

/** Signs and sends deliveries, applies the results to the circuit, and passes them to the recorder. */
export class Sender {
  readonly #options: DeliveryLoopOptions;
  readonly #recorder: Recorder;
  readonly #slotFreed: () => void;
  #usedSlots = 0;
  /** By organization. */
  readonly #usedSlotsOf = new Map<string, number>();
  #idle: (() => void) | undefined;
  #isRetired = false;

  /** @param slotFreed is called after each attempt */
  constructor(options: DeliveryLoopOptions, recorder: Recorder, slotFreed: () => void) {
    this.#options = options;
    this.#recorder = recorder;
    this.#slotFreed = slotFreed;
  }

  get freeSlots(): number {
    return this.#options.maxInFlight - this.#usedSlots;
  }

  /** Whether an organization may send more. It uses at most half of the slots, also if no other one sends. */
  hasSlotFor({ organizationId }: Lease): boolean {
    return mayUse({
      most: this.#options.maxInFlight,
      used: this.#usedSlots,
      usedByOne: this.#usedSlotsOf.get(organizationId) ?? 0,
      organizations: Math.max(this.#usedSlotsOf.size, 2),
    });
  }

  /** Begins to send no delivery in order, because another worker may already have sent it and its record's next ones. */
  retire(): void {
    this.#isRetired = true;
  }

  /** Resolves when no attempt is in flight. */
  async finished(): Promise<void> {
    if (this.#usedSlots > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  /** Sends a delivery that was taken from the subscription. */
  async send(leased: LeasedSubscription, delivery: PendingDelivery): Promise<void> {
    const startedAt = this.#options.clock();
    const slots = Math.max(1, Math.ceil(delivery.bytes / bytesOfSlot));
    this.#use(leased.lease, slots);
    this.#options.observer?.sending?.();
    const { result, exchange } = await this.#attempt(leased, delivery, startedAt);
    this.#use(leased.lease, -slots);
    leased.inFlight -= 1;
    if (result) this.#settle(leased, delivery, startedAt, result, exchange);
    if (this.#usedSlots === 0) this.#idle?.();
    this.#slotFreed();
  }

  async #attempt(
    leased: LeasedSubscription,
    delivery: PendingDelivery,
    startedAt: number,
  ): Promise<{ result: AttemptResult | null; exchange?: string }> {
    const { client, timeoutMs, log, tracing } = this.#options;
    const { id: deliveryId, eventType, body, redelivery } = delivery;
    try {
      const signed = { deliveryId, eventType, body, redelivery };
      const signatures = sign(signed, leased.secretAt(startedAt), startedAt, leased.signingKeyAt(startedAt));
      const headers = Object.assign(deliveryHeaders(signed, signatures, startedAt), leased.headers);
      const url = leased.lease.targetUrl;
      const span = traceAttempt(tracing, leased.lease, delivery);
      const traceparent = span?.traceparent ?? null;
      if (traceparent !== null) headers["traceparent"] = traceparent;
      const maySend = () => !(this.#isRetired && leased.isOrdered);
      const result = await attempt(client, { url, headers, body, timeoutMs, maySend });
      if (!result) return { result };
      endAttempt(span, result);
      return { result, exchange: storedExchange(signatures, result, traceparent) };
    } catch (error) {
      log.error({ err: error, subscription: leased.id }, "sending a delivery failed unexpectedly");
      return { result: notSent("the request could not be sent") };
    }
  }

  /** @param slots negative to free them */
  #use({ organizationId }: Lease, slots: number): void {
    this.#usedSlots += slots;
    const ofOrganization = (this.#usedSlotsOf.get(organizationId) ?? 0) + slots;
    if (ofOrganization > 0) this.#usedSlotsOf.set(organizationId, ofOrganization);
    else this.#usedSlotsOf.delete(organizationId);
  }

  #settle(
    leased: LeasedSubscription,
    delivery: PendingDelivery,
    startedAt: number,
    result: AttemptResult,
    exchange: string | undefined,
  ): void {
    const { clock, circuitPolicy, maxAttempts, observer } = this.#options;
    const { lease } = leased;
    const now = clock();
    leased.lastBusyAt = now;
    const failuresBefore = leased.circuit.failures;
    const circuitChanged = result.delivered
      ? leased.attemptSucceeded(now)
      : leased.attemptFailed({ startedAt, now, retryAfterMs: result.retryAfterMs, gone: result.gone });
    const attempts = delivery.attempts + 1;
    // During an outage, the delivery stays pending, because it becomes exhausted only if other deliveries succeed.
    const exhausted = attempts >= maxAttempts && !leased.circuit.isOutage;
    const outcome = result.delivered ? "delivered" : exhausted ? "exhausted" : "failed";
    const { durationMs, statusCode, error, responseBody } = result;
    observer?.attempted?.({ outcome, durationMs, ageMs: now - createdAt(delivery) });
    if (outcome === "exhausted") this.#logExhausted(lease, delivery, error);
    const nextAt = now + backoff(circuitPolicy, attempts);
    this.#recorder.add({
      leased,
      attempt: {
        delivery,
        lease,
        outcome,
        attemptedAt: startedAt,
        durationMs,
        statusCode,
        error,
        responseBody,
        version: exchange === undefined ? undefined : lease.version,
        exchange,
        nextAt,
      },
      circuit: circuitChanged ? this.#circuitRecord(leased, result, failuresBefore, now) : null,
    });
  }

  #circuitRecord(
    { lease, circuit }: LeasedSubscription,
    { delivered, error }: AttemptResult,
    failuresBefore: number,
    now: number,
  ): CircuitRecord {
    const { subscriptionId, targetUrl } = lease;
    const health = healthAfter(delivered, circuit.failed, failuresBefore, lease.unproven);
    if (health) this.#report(health, lease, error);
    return {
      subscriptionId,
      targetUrl,
      failuresBefore,
      failureCount: circuit.failures,
      status: circuit.failed ? "failed" : "active",
      openUntil: circuit.openUntil > 0 ? new Date(circuit.openUntil) : null,
      reason: error,
      notices: health && this.#options.notices ? [noticeOf(health, lease, circuit.failures, error, now)] : [],
    };
  }

  #logExhausted(
    { subscriptionId, organizationId }: Lease,
    { id }: PendingDelivery,
    reason: string | null,
  ): void {
    const details = { delivery: id, subscription: subscriptionId, organization: organizationId, reason };
    this.#options.log.warn(details, "delivery exhausted; it is not retried");
  }

  #report(
    health: SubscriptionHealth,
    { subscriptionId, organizationId }: Lease,
    reason: string | null,
  ): void {
    const { log, observer } = this.#options;
    observer?.subscriptionChanged?.(health);
    const details = { subscription: subscriptionId, organization: organizationId, ...(reason && { reason }) };
    if (health === "recovered") log.info(details, "subscription recovered");
    else if (health === "failing") log.warn(details, "subscription started to fail");
    else log.warn(details, "subscription failed; nothing is sent until it is resumed");
  }
}

/** Returns how the health of a subscription changed; null if it did not. @param unproven whether nothing was delivered since an earlier failure */
function healthAfter(
  delivered: boolean,
  isFailed: boolean,
  failuresBefore: number,
  unproven: boolean,
): SubscriptionHealth | null {
  if (delivered) return failuresBefore > 0 || unproven ? "recovered" : null;
  if (isFailed) return "failed";
  return failuresBefore === 0 ? "failing" : null;
}

/** Returns when a delivery was created; ms since 1970. Its ID is a UUIDv7, which begins with the time (RFC 9562, section 5.7). */
function createdAt({ id }: PendingDelivery): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
