/** The cost of five million old deliveries in the log: deliveries a second, and latency while no other delivery is pending. */
import { applyMigrations } from "@parley/database";
import type { Client } from "pg";
import { type Figures, measureWorkers, prepare } from "./deliveries/setup.ts";
import { type Bench, runBench } from "./harness/bench.ts";
import { fillLog } from "./harness/fill-log.ts";
import type { EventPublisher } from "./harness/publisher.ts";
import type { Receiver } from "./harness/receiver.ts";
import { compareSides } from "./harness/report.ts";
import { withClient } from "./harness/seed.ts";
import { nowMs } from "./harness/time.ts";
import { publishAndWait, type Waits } from "./harness/waits.ts";

await runBench(async (bench) => {
  const count = bench.quick ? 50_000 : 5_000_000;
  const emptyUrl = await bench.startDatabase();
  const fullUrl = new URL(emptyUrl);
  fullUrl.pathname = "full";
  await withClient(emptyUrl, async (client) => {
    await client.query('CREATE DATABASE "full"');
    await applyMigrations(fullUrl.href);
    await withClient(fullUrl.href, async (fullClient) => {
      const empty = await prepareSide(bench, emptyUrl, client);
      const full = await prepareSide(bench, fullUrl.href, fullClient);
      const from = nowMs();
      const size = await fillLog(fullClient, count);
      const seconds = Math.round((nowMs() - from) / 1_000);
      console.log(`${count.toLocaleString("en")} old deliveries in the log: ${size}, filled in ${seconds} s`);
      await compareSides(
        "the log",
        { rate: ["deliveries/s", 0], p50: ["commit to arrival, ms: p50", 1], p99: ["p99", 1] },
        { "with old deliveries": full, empty },
        { rounds: bench.rounds(6) },
      );
    });
  });
});

async function prepareSide(
  bench: Bench,
  databaseUrl: string,
  client: Client,
): Promise<() => Promise<Figures & Waits>> {
  const setup = await prepare({ bench, databaseUrl, client });
  const receiver = bench.start<Receiver>("harness/receiver.ts");
  const url = `${await receiver.call("start")}/steady`;
  const idle = await prepare({ bench, databaseUrl, client }, { receiver, url, workers: setup.workers });
  const organizationIds = idle.subscribers.map(({ organizationId }) => organizationId);
  const publisher = bench.start<EventPublisher>("harness/publisher.ts");
  await publisher.call("connect", databaseUrl);
  const [worker] = setup.workers;
  return async () => {
    const figures = await measureWorkers(setup);
    await worker?.call("start", idle.variables);
    const flow = { publisher, receiver, organizationIds, perSecond: 20 };
    const waits = await publishAndWait(flow, bench.quick ? 2 : 5);
    await worker?.call("stop");
    return { ...figures, ...waits };
  };
}
