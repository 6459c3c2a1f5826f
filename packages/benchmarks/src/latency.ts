/** The time from an event's commit to its arrival while no other delivery is pending. */
import type { BareLoop } from "./deliveries/bare-loop.ts";
import { prepare } from "./deliveries/setup.ts";
import { runBench } from "./harness/bench.ts";
import type { EventPublisher } from "./harness/publisher.ts";
import { compareSides } from "./harness/report.ts";
import { withClient } from "./harness/seed.ts";
import { publishAndWait, waitColumns } from "./harness/waits.ts";

/** Each of 50 subscriptions gets an event every two and a half seconds: no worker leases it in between. */
const perSecond = 20;

await runBench(async (bench) => {
  const seconds = bench.quick ? 3 : 10;
  const databaseUrl = await bench.startDatabase();
  await withClient(databaseUrl, async (client) => {
    const { receiver, url, workers, variables, subscribers } = await prepare({ bench, databaseUrl, client });
    await workers[0]?.call("start", variables);
    const publisher = bench.start<EventPublisher>("harness/publisher.ts");
    await publisher.call("connect", databaseUrl);
    const sender = bench.start<BareLoop>("deliveries/bare-loop.ts");
    await sender.call("listen", databaseUrl, "bench", url);
    const barePublisher = bench.start<EventPublisher>("harness/publisher.ts");
    await barePublisher.call("connectBare", databaseUrl, "bench");

    const organizationIds = subscribers.map(({ organizationId }) => organizationId);
    const flow = { receiver, organizationIds, perSecond };
    const sides = {
      async Parley() {
        await client.query("TRUNCATE events, deliveries, delivery_attempts");
        await client.query("CHECKPOINT");
        return publishAndWait({ ...flow, publisher }, seconds);
      },
      "bare: NOTIFY, LISTEN, post": () => publishAndWait({ ...flow, publisher: barePublisher }, seconds),
    };
    await compareSides("ms from commit to arrival", waitColumns, sides, { rounds: bench.rounds(6) });
    await workers[0]?.call("stop");
  });
});
