/** The time from an event's commit to its arrival while no other delivery is pending. */
import type { Client } from "pg";
import type { BareLoop } from "./deliveries/bare-loop.ts";
import { prepare } from "./deliveries/setup.ts";
import { runBench } from "./harness/bench.ts";
import type { EventPublisher } from "./harness/publisher.ts";
import { compareSides } from "./harness/report.ts";
import { type Subscriber, withClient } from "./harness/seed.ts";
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

    const dead = bench.quick ? 30_000 : 300_000;
    const besideSnapshot = {
      [`${dead.toLocaleString("en")} dead rows`]: () =>
        withClient(databaseUrl, async (reader) => {
          await client.query("TRUNCATE events, deliveries, delivery_attempts");
          await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
          await reader.query("SELECT txid_current()");
          await addDeadDeliveries(client, subscribers, dead);
          return publishAndWait({ ...flow, publisher }, seconds);
        }),
      none: () => sides.Parley(),
    };
    const heading = "ms from commit to arrival while a snapshot is open";
    await compareSides(heading, waitColumns, besideSnapshot, { rounds: bench.rounds(4) });
    await workers[0]?.call("stop");
  });
});

/** Creates deliveries and deletes them. PostgreSQL cannot remove their rows while an older snapshot is open. */
async function addDeadDeliveries(client: Client, subscribers: Subscriber[], count: number): Promise<void> {
  await client.query("BEGIN");
  await client.query(
    `WITH event AS (
       INSERT INTO events (id, organization_id, type, body, created_at)
       VALUES (uuidv7(), $1, 'lead.created', '{}', now()) RETURNING id)
     INSERT INTO deliveries (organization_id, subscription_id, event_id, next_at)
     SELECT organization_id, subscription_id, event.id, now() - interval '1 minute'
     FROM unnest($2::uuid[], $3::uuid[]) AS subscriber (organization_id, subscription_id), event, generate_series(1, $4)`,
    [
      subscribers[0]?.organizationId,
      subscribers.map(({ organizationId }) => organizationId),
      subscribers.map(({ subscriptionId }) => subscriptionId),
      Math.round(count / subscribers.length),
    ],
  );
  await client.query("DELETE FROM deliveries");
  await client.query("COMMIT"); // The worker has not seen them.
  await client.query("CHECKPOINT");
}
