/** What the options of subscriptions cost when they are used: conditions, headers, public-key signatures, and the order of records. */
import { createDatabase } from "@parley/database";
import { createSecretBox, ensureSigningKey, storeHeaders } from "@parley/webhooks";
import type { Client } from "pg";
import { type Figures, measureWorkers, prepare, type Setup } from "./deliveries/setup.ts";
import { type Bench, runBench } from "./harness/bench.ts";
import { createSubscriptions, filterByConditions, type Subscriptions } from "./harness/many-subscriptions.ts";
import type { EventPublisher } from "./harness/publisher.ts";
import { type Columns, compareSides } from "./harness/report.ts";
import { withClient } from "./harness/seed.ts";

const columns: Columns<Figures> = { rate: ["deliveries/s", 0], cpu: ["CPU s", 2] };

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  await withClient(databaseUrl, async (client) => {
    await conditions(bench, databaseUrl, client);
    const context = { bench, databaseUrl, client };
    const plain = await prepare(context);
    const withHeaders = await prepare(context, plain);
    await addHeaders(client, withHeaders);
    const withPublicKey = await prepare(context, plain);
    await addPublicKeySignature(databaseUrl, withPublicKey);
    await compareSides(
      "one worker, 50 subscriptions",
      columns,
      {
        "10 headers": () => measureWorkers(withHeaders),
        "public-key signature": () => measureWorkers(withPublicKey),
        none: () => measureWorkers(plain),
      },
      { rounds: bench.rounds(6), warmUps: 1 },
    );
    const unordered = await prepare(context, plain, 1);
    const ordered = await prepare(context, plain, 1);
    await setOrder(client, ordered);
    const count = bench.quick ? 300 : 3_000;
    const inOrder = (records: number) => () => measureWorkers({ ...ordered, records, count });
    await compareSides(
      "one worker, one subscription",
      columns,
      {
        "in order, 1 record": inOrder(1),
        "in order, 8 records": inOrder(8),
        "in order, 64 records": inOrder(64),
        "any order": () => measureWorkers({ ...unordered, count }),
      },
      { rounds: bench.rounds(6), warmUps: 1 },
    );
  });
});

/** The cost of an event in an organization whose subscriptions all have a condition for it. */
async function conditions(bench: Bench, databaseUrl: string, client: Client): Promise<void> {
  const publisher = bench.start<EventPublisher>("harness/publisher.ts");
  await publisher.call("connect", databaseUrl);
  const most = bench.quick ? 1_000 : 10_000;
  const plain = await createSubscriptions(client, most);
  const many = await createSubscriptions(client, most);
  const some = await createSubscriptions(client, 100);
  const one = await createSubscriptions(client, 1);
  for (const subscriptions of [many, some, one]) await filterByConditions(client, subscriptions);
  const times = bench.quick ? 20 : 200;
  const measure =
    ({ organizationId, chatbotId }: Subscriptions) =>
    async () => {
      await client.query("TRUNCATE events, deliveries");
      return { ms: 1_000 / (await publisher.call("publish", organizationId, times, 1, chatbotId)) };
    };
  await client.query("VACUUM ANALYZE subscriptions, subscription_routes");
  await compareSides(
    "1 connection, an event that matches 1",
    { ms: ["ms an event", 2] },
    {
      [`of ${most.toLocaleString("en")} subscriptions by a condition`]: measure(many),
      "of 100 subscriptions by a condition": measure(some),
      "the only subscription by its condition": measure(one),
      [`of ${most.toLocaleString("en")} subscriptions by chatbot_id`]: measure(plain),
    },
    { rounds: bench.rounds(6) },
  );
  await publisher.stop();
}

async function addHeaders(client: Client, { subscribers, variables }: Setup): Promise<void> {
  const box = createSecretBox(Buffer.from(variables.PARLEY_ENCRYPTION_KEY, "base64"));
  const values = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`x-header-${i}`, `value ${i}`]));
  for (const { subscriptionId, organizationId } of subscribers) {
    const { headers, headerNames } = storeHeaders(values, box, organizationId);
    await client.query("UPDATE subscriptions SET headers = $2, header_names = $3 WHERE id = $1", [
      subscriptionId,
      headers,
      headerNames,
    ]);
  }
}

async function addPublicKeySignature(databaseUrl: string, { subscribers, variables }: Setup): Promise<void> {
  const box = createSecretBox(Buffer.from(variables.PARLEY_ENCRYPTION_KEY, "base64"));
  const db = createDatabase(databaseUrl, { poolSize: 1 });
  for (const { organizationId, subscriptionId: id } of subscribers) {
    await db.$transaction(async (tx) => {
      await ensureSigningKey({ tx, organizationId }, box);
      await tx.subscription.update({ where: { id }, data: { publicKeySignature: true } });
    });
  }
  await db.$disconnect();
}

async function setOrder(client: Client, { subscribers }: Setup): Promise<void> {
  const ids = subscribers.map(({ subscriptionId }) => subscriptionId);
  await client.query("UPDATE subscriptions SET ordering = 'record' WHERE id = ANY ($1::uuid[])", [ids]);
}
