import { setTimeout as sleep } from "node:timers/promises";
import type { EventPublisher, Published } from "../faults/publisher.ts";
import type { Arrival, FaultyReceiver } from "../faults/receiver.ts";
import type { Child } from "../harness/child.ts";
import { percentile } from "../harness/statistics.ts";
import { until } from "../harness/until.ts";

/** Milliseconds from commit to arrival. */
export interface Waits {
  p50: number;
  p99: number;
  most: number;
}

/** Events that are published, and where they arrive. */
export interface Flow {
  publisher: Child<EventPublisher>;
  receiver: Child<FaultyReceiver>;
  /** Their organizations in turn. */
  organizationIds: string[];
  perSecond: number;
}

/**
 * @param counted organizations whose events arrive, and count
 * @throws when one of these is missing or arrived twice
 */
export async function publishAndWait(
  { publisher, receiver, organizationIds, perSecond }: Flow,
  seconds: number,
  counted = organizationIds,
): Promise<Waits> {
  const those = new Set(counted);

  async function publishFor(duration: number): Promise<Published[]> {
    await publisher.call("start", organizationIds, perSecond);
    await sleep(duration * 1_000);
    const { published, uncertain } = await publisher.call("stop");
    if (uncertain.length > 0) throw new Error(`void: ${uncertain.length} events could not be published`);
    return published.filter(({ organizationId }) => those.has(organizationId));
  }

  await receiver.call("take");
  const warmUp = await publishFor(1); // Connections, statements and leases are there then.
  const measured = await publishFor(seconds);
  const arrivals: Arrival[] = [];
  const isComplete = async () => {
    arrivals.push(...(await receiver.call("take")));
    return arrivals.length >= warmUp.length + measured.length;
  };
  const words = "void: deliveries are missing after half a minute";
  await until(isComplete, { everyMs: 50, withinMs: 30_000, words });
  return waits(measured, arrivals);
}

function waits(published: Published[], arrivals: Arrival[]): Waits {
  const arrivedAt = new Map(arrivals.map(({ leadId, at }) => [leadId, at]));
  if (arrivedAt.size !== arrivals.length) throw new Error("void: deliveries arrived twice");
  const all = published.map(({ leadId, committedAt }) => (arrivedAt.get(leadId) ?? Number.NaN) - committedAt);
  if (all.some(Number.isNaN)) throw new Error("void: deliveries are missing");
  return { p50: percentile(all, 0.5), p99: percentile(all, 0.99), most: Math.max(...all) };
}
