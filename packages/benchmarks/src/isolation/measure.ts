import { setTimeout as sleep } from "node:timers/promises";
import type { Published } from "../faults/publisher.ts";
import type { Arrival } from "../faults/receiver.ts";
import { percentile } from "../harness/statistics.ts";
import { until } from "../harness/until.ts";
import { addBacklog, type BadOnes, clear, readBadOnes, settle } from "./bad-ones.ts";
import type { Setting } from "./setting.ts";

/** Milliseconds from commit to arrival of the healthy ones' events. */
export interface Waits {
  p50: number;
  p99: number;
  most: number;
}

/** How many deliveries the bad one has due that is behind. */
export const backlog = 100_000;
/** Events a second of each subscription. */
const perSecond = 4;

/** Only the healthy ones have something due. */
export async function measureAlone(setting: Setting, seconds: number): Promise<Waits> {
  await clear(setting.client);
  await settle(setting.client);
  await setting.worker.call("start", setting.variables);
  const waits = await publishAndWait(setting, setting.good.length, seconds);
  await setting.worker.call("stop");
  return waits;
}

/** @throws when the bad ones were not bad enough */
export async function measureAmongBadOnes(setting: Setting, seconds: number): Promise<Waits & BadOnes> {
  const { client, bad, badReceiver } = setting;
  await clear(client);
  await addBacklog(client, bad.backlog, backlog);
  await settle(client);
  await badReceiver.call("take");
  await setting.worker.call("start", setting.variables);
  const waits = await publishAndWait(setting, setting.good.length + Object.keys(bad).length, seconds);
  const arrivals = await badReceiver.call("take");
  const badOnes = await readBadOnes(client, bad, arrivals);
  await badReceiver.call("disconnect"); // The worker waits for those that hang.
  await setting.worker.call("stop");
  return { ...waits, ...badOnes };
}

/** @param count of the organizations for which events are published, the healthy ones first */
async function publishAndWait(
  { good, bad, publisher, receiver }: Setting,
  count: number,
  seconds: number,
): Promise<Waits> {
  const subscribers = [...good, ...Object.values(bad)].slice(0, count);
  const organizationIds = subscribers.map(({ organizationId }) => organizationId);
  const healthy = new Set(good.map(({ organizationId }) => organizationId));

  async function publishFor(duration: number): Promise<Published[]> {
    await publisher.call("start", organizationIds, perSecond * count);
    await sleep(duration * 1_000);
    const { published, uncertain } = await publisher.call("stop");
    if (uncertain.length > 0) throw new Error(`void: ${uncertain.length} events could not be published`);
    return published.filter(({ organizationId }) => healthy.has(organizationId));
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
