/** How many events a second are published, and the cost of an event in an organization with many subscriptions. */
import { runBench } from "./harness/bench.ts";
import type { Child } from "./harness/child.ts";
import { createSubscriptions, type Subscriptions } from "./harness/many-subscriptions.ts";
import type { EventPublisher } from "./harness/publisher.ts";
import { compareSides } from "./harness/report.ts";
import { withClient } from "./harness/seed.ts";

const connections = 8;

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const connected = async (connect: "connect" | "connectPrisma" | "connectBare") => {
    const publisher = bench.start<EventPublisher>("harness/publisher.ts");
    await publisher.call(connect, databaseUrl);
    return publisher;
  };
  const publisher = await connected("connect");
  const [prisma, bare] = [await connected("connectPrisma"), await connected("connectBare")];
  const [few, many] = bench.quick ? [10, 1_000] : [10, 10_000];
  const times = bench.quick ? 500 : 10_000;
  await withClient(databaseUrl, async (client) => {
    const one = await createSubscriptions(client, 1);
    const small = await createSubscriptions(client, few);
    const large = await createSubscriptions(client, many);
    async function measure(child: Child<EventPublisher>) {
      const before = await child.call("cpuSeconds");
      const rate = await child.call("publish", one.organizationId, times, connections, one.chatbotId);
      return { rate, cpu: (((await child.call("cpuSeconds")) - before) / times) * 1e6 };
    }
    async function measureOne({ organizationId, chatbotId }: Subscriptions) {
      return { ms: 1_000 / (await publisher.call("publish", organizationId, times / 10, 1, chatbotId)) };
    }
    async function empty() {
      await client.query("TRUNCATE events, deliveries");
      await client.query("VACUUM ANALYZE events, deliveries, subscriptions, subscription_routes");
      await client.query("CHECKPOINT");
    }
    await compareSides(
      `${connections} connections`,
      { rate: ["a second", 0], cpu: ["µs of CPU of the process each", 0] },
      {
        "events published, 1 delivery each": () => empty().then(() => measure(publisher)),
        "single rows without Prisma": () => measure(bare),
        "single rows with Prisma": () => measure(prisma),
      },
      { rounds: bench.rounds(8) },
    );
    await compareSides(
      "1 connection, matches 1",
      { ms: ["ms an event", 2] },
      {
        [`of ${many.toLocaleString("en")} subscriptions`]: () => empty().then(() => measureOne(large)),
        [`of ${few} subscriptions`]: () => measureOne(small),
      },
      { rounds: bench.rounds(8) },
    );
  });
});
