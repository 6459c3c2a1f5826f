/** What a log of five million old deliveries costs: deliveries a second, and the way of an event while nothing else is due. */
import { applyMigrations } from "@parley/database";
import type { Client } from "pg";
import { type Figures, measureWorkers } from "./deliveries/measure.ts";
import { prepare, type World } from "./deliveries/scenarios.ts";
import type { EventPublisher } from "./faults/publisher.ts";
import type { FaultyReceiver } from "./faults/receiver.ts";
import { type Bench, runBench } from "./harness/bench.ts";
import { nowMs } from "./harness/clock.ts";
import { withSpread } from "./harness/statistics.ts";
import { printTable } from "./harness/table.ts";
import { withClient } from "./harness/with-client.ts";
import { publishAndWait, type Waits } from "./latency/publish-and-wait.ts";
import { fillLog } from "./log/old-deliveries.ts";

type Measured = Figures & Waits;

interface Round {
  full: Measured;
  empty: Measured;
}

await runBench(async (bench) => {
  const count = bench.quick ? 50_000 : 5_000_000;
  const emptyUrl = await bench.startDatabase();
  const fullUrl = await createDatabase(emptyUrl, "full");
  const rounds = await withClient(emptyUrl, async (client) => {
    const empty = await prepareSide(bench, emptyUrl, client);
    return withClient(fullUrl, async (fullClient) => {
      const full = await prepareSide(bench, fullUrl, fullClient);
      const from = nowMs();
      const size = await fillLog(fullClient, count);
      const seconds = Math.round((nowMs() - from) / 1_000);
      console.log(`${count.toLocaleString("en")} old deliveries in the log: ${size}, filled in ${seconds} s`);
      const measure = async (): Promise<Round> => ({ full: await full(), empty: await empty() });
      await measure();
      const measured: Round[] = [];
      while (measured.length < (bench.quick ? 2 : 6)) measured.push(await measure());
      return measured;
    });
  });
  report(rounds);
});

/** Another database of the same server. */
async function createDatabase(databaseUrl: string, name: string): Promise<string> {
  await withClient(databaseUrl, (client) => client.query(`CREATE DATABASE "${name}"`));
  const url = new URL(databaseUrl);
  url.pathname = name;
  await applyMigrations(url.href);
  return url.href;
}

async function prepareSide(
  bench: Bench,
  databaseUrl: string,
  client: Client,
): Promise<() => Promise<Measured>> {
  const world = await prepare({ bench, databaseUrl, client });
  const receiver = bench.start<FaultyReceiver>("faults/receiver.ts");
  const idle = await prepare(
    { bench, databaseUrl, client },
    {
      ...world,
      url: `${await receiver.call("start")}/steady`,
    },
  );
  const organizationIds = idle.createDue(50).map(({ organizationId }) => organizationId);
  const publisher = bench.start<EventPublisher>("faults/publisher.ts");
  await publisher.call("connect", databaseUrl);

  async function measureIdle({ workers: [worker], variables }: World): Promise<Waits> {
    await worker?.call("start", variables);
    const flow = { publisher, receiver, organizationIds, perSecond: 20 };
    const waits = await publishAndWait(flow, bench.quick ? 2 : 5);
    await worker?.call("stop");
    return waits;
  }
  return async () => ({
    ...(await measureWorkers({ ...world, due: world.createDue() })),
    ...(await measureIdle(idle)),
  });
}

function report(rounds: Round[]): void {
  const column = (figure: (round: Round) => number, digits: number) => withSpread(rounds.map(figure), digits);
  const row = (words: string, side: keyof Round) => [
    words,
    column((round) => round[side].rate, 0),
    column((round) => round[side].p50, 1),
    column((round) => round[side].p99, 1),
  ];
  printTable(
    ["the log", "deliveries/s", "commit to arrival, ms: p50", "p99"],
    [row("old deliveries in it", "full"), row("empty", "empty")],
  );
  const ratio = (figure: keyof Waits | "rate") =>
    column(({ full, empty }) => full[figure] / empty[figure], 2);
  console.log(
    `ratio to an empty log: deliveries/s ${ratio("rate")}, p50 ${ratio("p50")}, p99 ${ratio("p99")}`,
  );
}
