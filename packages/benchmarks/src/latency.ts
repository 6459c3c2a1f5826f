/** How long an event takes from its commit to its arrival while nothing else is to be done. */
import { randomBytes } from "node:crypto";
import type { EventPublisher } from "./faults/publisher.ts";
import type { FaultyReceiver } from "./faults/receiver.ts";
import { runBench } from "./harness/bench.ts";
import type { RealWorker } from "./harness/real-worker.ts";
import { seedSubscriptions } from "./harness/seed-subscriptions.ts";
import { withSpread } from "./harness/statistics.ts";
import { withClient } from "./harness/with-client.ts";
import type { BareSender } from "./latency/bare-sender.ts";
import { printWaits } from "./latency/print-waits.ts";
import { publishAndWait, type Waits } from "./latency/publish-and-wait.ts";

const subscriptions = 50;
/** Each subscription gets one in two and a half seconds: no worker holds it meanwhile. */
const perSecond = 20;

interface Round {
  parley: Waits;
  bare: Waits;
}

await runBench(async (bench) => {
  const seconds = bench.quick ? 3 : 10;
  const databaseUrl = await bench.startDatabase();
  const receiver = bench.start<FaultyReceiver>("faults/receiver.ts");
  const url = `${await receiver.call("start")}/steady`;
  const encryptionKey = randomBytes(32).toString("base64");
  const targets = Array.from({ length: subscriptions }, () => [url]);
  const subscribers = await seedSubscriptions(databaseUrl, encryptionKey, targets);
  const organizationIds = subscribers.map(({ organizationId }) => organizationId);

  const worker = bench.start<RealWorker>("harness/real-worker.ts");
  await worker.call("start", {
    DATABASE_URL: databaseUrl,
    PARLEY_ENCRYPTION_KEY: encryptionKey,
    WEBHOOKS_ALLOW_LOOPBACK: "true",
  });
  const publisher = bench.start<EventPublisher>("faults/publisher.ts");
  await publisher.call("connect", databaseUrl);
  const sender = bench.start<BareSender>("latency/bare-sender.ts");
  await sender.call("start", databaseUrl, "bench", url);
  const barePublisher = bench.start<EventPublisher>("latency/bare-publisher.ts");
  await barePublisher.call("connect", databaseUrl);

  const flow = { receiver, organizationIds, perSecond };
  const rounds = await withClient(databaseUrl, async (client) => {
    async function measure(): Promise<Round> {
      await client.query("TRUNCATE events, deliveries, delivery_attempts");
      await client.query("CHECKPOINT");
      return {
        parley: await publishAndWait({ ...flow, publisher }, seconds),
        bare: await publishAndWait({ ...flow, publisher: barePublisher }, seconds),
      };
    }
    await measure();
    const measured: Round[] = [];
    while (measured.length < (bench.quick ? 2 : 6)) measured.push(await measure());
    return measured;
  });
  report(rounds);
  await worker.call("stop");
});

function report(rounds: Round[]): void {
  const column = (figure: (round: Round) => number) => withSpread(rounds.map(figure), 1);
  printWaits({
    Parley: rounds.map(({ parley }) => parley),
    "bare: NOTIFY, LISTEN, post": rounds.map(({ bare }) => bare),
  });
  const ratio = (figure: "p50" | "p99") => column(({ parley, bare }) => parley[figure] / bare[figure]);
  console.log(`ratio, Parley to bare: p50 ${ratio("p50")}, p99 ${ratio("p99")}`);
}
