/** Deliveries per second of Parley's worker, of job queues that are often used for webhooks, and of the bare loop. */
import { startRedis } from "@parley/testing/redis";
import type { BareLoop } from "./deliveries/bare-loop.ts";
import { measureSender, measureWorkers, prepare } from "./deliveries/setup.ts";
import { runBench } from "./harness/bench.ts";
import { compareSides } from "./harness/report.ts";
import { withClient } from "./harness/seed.ts";
import type { Peer } from "./peers/pg-boss.ts";

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  // With an append-only file, as BullMQ's manual asks for, written to the disk every second.
  const settings = [
    "--dir",
    bench.folder,
    "--save",
    "",
    "--appendonly",
    "yes",
    "--maxmemory-policy",
    "noeviction",
  ];
  const redis = await startRedis("redis-server", settings);
  try {
    const bare = bench.start<BareLoop>("deliveries/bare-loop.ts");
    const bullmq = bench.start<Peer>("peers/bullmq.ts");
    await bullmq.call("connect", redis.url);
    const pgBoss = bench.start<Peer>("peers/pg-boss.ts");
    await pgBoss.call("connect", databaseUrl);
    await withClient(databaseUrl, async (client) => {
      const setup = await prepare({ bench, databaseUrl, client });
      const sides = {
        "Parley's worker": () => measureWorkers(setup),
        "BullMQ on Redis": () => measureSender("BullMQ", bullmq, setup),
        "pg-boss on PostgreSQL": () => measureSender("pg-boss", pgBoss, setup),
        "bare loop": () => measureSender("bare loop", bare, setup),
      };
      await compareSides("", { rate: ["deliveries/s", 0], cpu: ["CPU s", 2] }, sides, {
        rounds: bench.rounds(8),
      });
      console.log("Every delivery arrived exactly once.");
      console.log("Only the worker keeps a log of attempts and a circuit breaker for each subscription.");
    });
  } finally {
    await redis.stop();
  }
});
