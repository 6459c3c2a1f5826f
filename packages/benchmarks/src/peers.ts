/** Deliveries per second of Parley's worker, of queues that are often used for this, and of the bare loop. */
import type { BareLoop } from "./deliveries/bare-loop.ts";
import { type Figures, measureBare, measureWorkers, rate } from "./deliveries/measure.ts";
import { prepare, type World } from "./deliveries/scenarios.ts";
import { refuseWrongArrivals } from "./deliveries/verify.ts";
import { runBench } from "./harness/bench.ts";
import type { Child } from "./harness/child.ts";
import { freePort } from "./harness/free-port.ts";
import { withSpread } from "./harness/statistics.ts";
import { printTable } from "./harness/table.ts";
import { withClient } from "./harness/with-client.ts";
import type { Peer } from "./peers/peer.ts";
import { startRedis } from "./peers/redis.ts";

const sides = ["Parley's worker", "BullMQ on Redis", "pg-boss on PostgreSQL", "bare loop"] as const;
type Round = Record<(typeof sides)[number], Figures>;

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const redis = await startRedis(bench.folder, await freePort());
  try {
    const bare = bench.start<BareLoop>("deliveries/bare-loop.ts");
    const bullmq = bench.start<Peer>("peers/bullmq.ts");
    await bullmq.call("connect", redis.url);
    const pgBoss = bench.start<Peer>("peers/pg-boss.ts");
    await pgBoss.call("connect", databaseUrl);
    await withClient(databaseUrl, async (client) => {
      const world = await prepare({ bench, databaseUrl, client });
      const measure = async (): Promise<Round> => ({
        "Parley's worker": await measureWorkers({ ...world, due: world.createDue() }),
        "BullMQ on Redis": await measurePeer("BullMQ", bullmq, world),
        "pg-boss on PostgreSQL": await measurePeer("pg-boss", pgBoss, world),
        "bare loop": await measureBare({ ...world, bare, due: world.createDue() }),
      });
      await measure();
      const rounds: Round[] = [];
      while (rounds.length < (bench.quick ? 2 : 8)) rounds.push(await measure());
      report(rounds);
    });
  } finally {
    await redis.stop();
  }
});

/** @throws when a delivery did not arrive exactly once */
async function measurePeer(words: string, peer: Child<Peer>, world: World): Promise<Figures> {
  const { receiver, url } = world;
  const due = world.createDue();
  await peer.call("enqueue", due);
  const cpuBefore = await peer.call("cpuSeconds");
  await peer.call("run", url, due.length);
  const cpu = (await peer.call("cpuSeconds")) - cpuBefore;
  const arrivals = await receiver.call("take");
  refuseWrongArrivals(words, due, arrivals);
  return { rate: rate(due.length, arrivals.firstAt, arrivals.lastAt), logged: null, cpu };
}

function report(rounds: Round[]): void {
  const column = (figure: (round: Round) => number, digits: number) => withSpread(rounds.map(figure), digits);
  printTable(
    ["", "deliveries/s", "ratio to the bare loop", "CPU s"],
    sides.map((side) => [
      side,
      column((round) => round[side].rate, 0),
      column((round) => round[side].rate / round["bare loop"].rate, 2),
      column((round) => round[side].cpu, 2),
    ]),
  );
  console.log(
    "Every delivery arrived exactly once. Only the worker keeps a log of attempts, and a circuit breaker for each subscription.",
  );
}
