import type { Client } from "pg";
import type { Child } from "../harness/child.ts";
import { nowMs } from "../harness/clock.ts";
import type { RealWorker } from "../harness/real-worker.ts";
import { until } from "../harness/until.ts";
import type { BareLoop } from "./bare-loop.ts";
import type { Receiver } from "./receiver.ts";
import { type Due, seedDeliveries } from "./seed.ts";
import { countLogged, refuseWrongArrivals, refuseWrongLog } from "./verify.ts";

/** What came of sending once. */
export interface Figures {
  /** Deliveries a second, from the first to the last arrival. */
  rate: number;
  /** Deliveries a second, from the first arrival until the log holds all of them; null where there is no log. */
  logged: number | null;
  /** Seconds of CPU of the processes that send; a worker's include its start. */
  cpu: number;
}

export interface WorkerRun {
  client: Client;
  /** One or several, which share the work. */
  workers: Child<RealWorker>[];
  /** The workers' environment. */
  variables: Record<string, string>;
  receiver: Child<Receiver>;
  due: Due[];
}

/** Makes the deliveries due and has Parley's workers send them. @throws when the run is void */
export async function measureWorkers({
  client,
  workers,
  variables,
  receiver,
  due,
}: WorkerRun): Promise<Figures> {
  await seedDeliveries(client, due);
  const cpuBefore = await cpuOf(workers);
  await Promise.all(workers.map((worker) => worker.call("start", variables)));
  const patience = { withinMs: 60_000, words: "void: deliveries are missing after a minute" };
  await until(async () => (await receiver.call("count")) >= due.length, { everyMs: 10, ...patience });
  await until(async () => (await countLogged(client)) >= due.length, { everyMs: 2, ...patience });
  const loggedAt = nowMs();
  const cpu = (await cpuOf(workers)) - cpuBefore;
  await Promise.all(workers.map((worker) => worker.call("stop")));
  const arrivals = await receiver.call("take");
  refuseWrongArrivals("worker", due, arrivals);
  await refuseWrongLog(client, due);
  const { firstAt, lastAt } = arrivals;
  return { rate: rate(due.length, firstAt, lastAt), logged: rate(due.length, firstAt, loggedAt), cpu };
}

export interface LoopRun {
  bare: Child<BareLoop>;
  receiver: Child<Receiver>;
  url: string;
  due: Due[];
}

/** @throws when the run is void */
export async function measureBare({ bare, receiver, url, due }: LoopRun): Promise<Figures> {
  await bare.call("load", due);
  const cpuBefore = await bare.call("cpuSeconds");
  await bare.call("run", url);
  const cpu = (await bare.call("cpuSeconds")) - cpuBefore;
  const arrivals = await receiver.call("take");
  refuseWrongArrivals("bare loop", due, arrivals);
  return { rate: rate(due.length, arrivals.firstAt, arrivals.lastAt), logged: null, cpu };
}

async function cpuOf(children: Child<RealWorker>[]): Promise<number> {
  const seconds = await Promise.all(children.map((child) => child.call("cpuSeconds")));
  return seconds.reduce((sum, one) => sum + one, 0);
}

export function rate(count: number, fromMs: number, toMs: number): number {
  return (count / (toMs - fromMs)) * 1_000;
}
