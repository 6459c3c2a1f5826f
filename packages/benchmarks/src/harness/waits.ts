import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child.ts";
import type { EventPublisher, Published } from "./publisher.ts";
import type { Arrival, Receiver } from "./receiver.ts";
import { type Columns, percentile } from "./report.ts";
import { until } from "./time.ts";

/** Milliseconds from commit to arrival. */
export interface Waits {
  p50: number;
  p99: number;
  longest: number;
}

export const waitColumns: Columns<Waits> = { p50: ["p50", 1], p99: ["p99", 1], longest: ["longest", 1] };

/** Publisher of events, and receiver of their deliveries. */
interface Flow {
  publisher: Child<EventPublisher>;
  receiver: Child<Receiver>;
  /** Organizations for which events are published in turn. */
  organizationIds: string[];
  perSecond: number;
}

/**
 * Publishes events for `seconds`, waits until their deliveries arrive, and returns the times from commit to arrival.
 *
 * @param counted organizations whose deliveries the receiver gets and the result includes. Default: all
 * @throws if a delivery of these organizations is missing or arrived twice
 */
export async function publishAndWait(
  { publisher, receiver, organizationIds, perSecond }: Flow,
  seconds: number,
  counted = organizationIds,
): Promise<Waits> {
  async function publishFor(duration: number): Promise<Published[]> {
    await publisher.call("start", organizationIds, perSecond);
    await sleep(duration * 1_000);
    const { published, uncertain } = await publisher.call("stop");
    if (uncertain.length > 0) throw new Error(`void: ${uncertain.length} events could not be published`);
    return published.filter(({ organizationId }) => counted.includes(organizationId));
  }

  await receiver.call("take");
  const warmUp = await publishFor(1); // For connections, statements and leases.
  const measured = await publishFor(seconds);
  const arrivals: Arrival[] = [];
  const isComplete = async () => {
    arrivals.push(...(await receiver.call("take")));
    return arrivals.length >= warmUp.length + measured.length;
  };
  const message = "void: deliveries are missing after half a minute";
  await until(isComplete, { everyMs: 50, withinMs: 30_000, message });
  const arrivedAt = new Map(arrivals.map(({ recordId, at }) => [recordId, at]));
  if (arrivedAt.size !== arrivals.length) throw new Error("void: deliveries arrived twice");
  const waits = measured.map(
    ({ recordId, committedAt }) => (arrivedAt.get(recordId) ?? Number.NaN) - committedAt,
  );
  if (waits.some(Number.isNaN)) throw new Error("void: deliveries are missing");
  return { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), longest: Math.max(...waits) };
}
