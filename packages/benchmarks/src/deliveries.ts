/** Webhook deliveries per second with the attempt log on: Parley's worker against a bare loop of undici. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { BareLoop } from "./deliveries/bare-loop.ts";
import type { Receiver } from "./deliveries/receiver.ts";
import { type Due, seedDeliveries } from "./deliveries/seed.ts";
import { countLogged, refuseWrongArrivals, refuseWrongLog } from "./deliveries/verify.ts";
import { runBench } from "./harness/bench.ts";
import type { Child } from "./harness/child.ts";
import { nowMs } from "./harness/clock.ts";
import type { RealWorker } from "./harness/real-worker.ts";
import { seedSubscriptions } from "./harness/seed-subscriptions.ts";
import { withSpread } from "./harness/statistics.ts";
import { printTable } from "./harness/table.ts";
import { withClient } from "./harness/with-client.ts";

interface Round {
  /** Deliveries a second, from the first to the last arrival. */
  worker: number;
  /** Deliveries a second, from the first arrival until the log holds all of them. */
  logged: number;
  bare: number;
  /** Seconds of CPU of the process; the worker's include its start. */
  workerCpu: number;
  bareCpu: number;
}

await runBench(async (bench) => {
  const count = bench.quick ? 2_000 : 20_000;
  const databaseUrl = await bench.startDatabase();
  const receiver = bench.start<Receiver>("deliveries/receiver.ts");
  const worker = bench.start<RealWorker>("harness/real-worker.ts");
  const bare = bench.start<BareLoop>("deliveries/bare-loop.ts");
  const encryptionKey = randomBytes(32).toString("base64");
  const url = await receiver.call("start");
  const organizations = Array.from({ length: 50 }, () => [url]);
  const subscribers = await seedSubscriptions(databaseUrl, encryptionKey, organizations);

  const rounds = await withClient(databaseUrl, async (client) => {
    async function measure(): Promise<Round> {
      const due = await seedDeliveries(databaseUrl, subscribers, count);
      const delivered = await measureWorker(worker, receiver, client, due, () =>
        worker.call("start", {
          DATABASE_URL: databaseUrl,
          PARLEY_ENCRYPTION_KEY: encryptionKey,
          WEBHOOKS_ALLOW_LOOPBACK: "true",
        }),
      );
      return { ...delivered, ...(await measureBare(bare, receiver, due, url)) };
    }
    for (let warmUps = 0; warmUps < 2; warmUps += 1) await measure();
    const measured: Round[] = [];
    while (measured.length < (bench.quick ? 2 : 15)) measured.push(await measure());
    return measured;
  });
  report(count, rounds);
});

async function measureWorker(
  worker: Child<RealWorker>,
  receiver: Child<Receiver>,
  client: Client,
  due: Due[],
  start: () => Promise<void>,
): Promise<Pick<Round, "worker" | "logged" | "workerCpu">> {
  const cpuBefore = await worker.call("cpuSeconds");
  await start();
  await until(async () => (await receiver.call("count")) >= due.length, 10);
  await until(async () => (await countLogged(client)) >= due.length, 2);
  const loggedAt = nowMs();
  const workerCpu = (await worker.call("cpuSeconds")) - cpuBefore;
  await worker.call("stop");
  const arrivals = await receiver.call("take");
  refuseWrongArrivals("worker", due, arrivals);
  await refuseWrongLog(client, due);
  return {
    worker: rate(due.length, arrivals.firstAt, arrivals.lastAt),
    logged: rate(due.length, arrivals.firstAt, loggedAt),
    workerCpu,
  };
}

/** @throws when it does not come true within half a minute */
async function until(isTrue: () => Promise<boolean>, everyMs: number): Promise<void> {
  const giveUpAt = nowMs() + 30_000;
  while (!(await isTrue())) {
    if (nowMs() > giveUpAt) throw new Error("void: deliveries are missing after half a minute");
    await sleep(everyMs);
  }
}

async function measureBare(
  bare: Child<BareLoop>,
  receiver: Child<Receiver>,
  due: Due[],
  url: string,
): Promise<Pick<Round, "bare" | "bareCpu">> {
  await bare.call("load", due);
  const cpuBefore = await bare.call("cpuSeconds");
  await bare.call("run", url);
  const bareCpu = (await bare.call("cpuSeconds")) - cpuBefore;
  const arrivals = await receiver.call("take");
  refuseWrongArrivals("bare loop", due, arrivals);
  return { bare: rate(due.length, arrivals.firstAt, arrivals.lastAt), bareCpu };
}

function rate(count: number, fromMs: number, toMs: number): number {
  return (count / (toMs - fromMs)) * 1_000;
}

function report(count: number, rounds: Round[]): void {
  const column = (figure: (round: Round) => number, digits: number) => withSpread(rounds.map(figure), digits);
  printTable(
    [`${count} deliveries`, "deliveries/s", "CPU s"],
    [
      ["worker, until arrived", column((round) => round.worker, 0), column((round) => round.workerCpu, 2)],
      ["worker, until logged", column((round) => round.logged, 0), ""],
      ["bare loop", column((round) => round.bare, 0), column((round) => round.bareCpu, 2)],
    ],
  );
  console.log(`CPU, worker to bare loop: ${column((round) => round.workerCpu / round.bareCpu, 2)}`);
  console.log("Every delivery arrived exactly once and is in the log exactly once.");
  const arrived = column(({ worker, bare }) => worker / bare, 2);
  const logged = column(({ logged: worker, bare }) => worker / bare, 2);
  console.log(`ratio of deliveries/s, worker to bare loop: until arrived ${arrived}, until logged ${logged}`);
}
