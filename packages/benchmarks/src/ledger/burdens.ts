import { randomUUIDv7 } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventPublisher } from "../harness/publisher.ts";
import type { Random } from "../harness/random.ts";
import { withClient } from "../harness/seed.ts";
import { until } from "../harness/time.ts";
import { killWorkers } from "./faults.ts";
import type { Fixture } from "./fixture.ts";

/** Work of some organizations, which the others must not notice. Resolves when it is done. */
export type Burden = (fixture: Fixture, random: Random) => Promise<void>;

const withinMs = 300_000;

/** 100 subscriptions of each of two organizations get 40 events of 250 kB each. */
export const largestEvents: Burden = async (fixture) => {
  const organizations = await addGreedy(fixture, "steady/large");
  const publisher = await startPublisher(fixture);
  const times = fixture.bench.quick ? 4 : 40;
  await Promise.all(
    organizations.map((organization) => publisher.call("publishLarge", organization, times, 250_000)),
  );
  await publisher.stop();
  await untilSent(fixture, organizations);
};

/** 100 subscriptions of each of two organizations have backlogs, and receivers that take 1.5 seconds. */
export const twoGreedyOrganizations: Burden = async (fixture) => {
  const organizations = await addGreedy(fixture, "after-1500-ms");
  await publishMessages(fixture, organizations, { perSecond: 40, seconds: 1 });
  await untilSent(fixture, organizations);
};

/** Redelivers 200,000 deliveries of a subscription. */
export const longRedelivery: Burden = async (fixture) => {
  const [organization = ""] = await fixture.addOrganizations([["steady/redelivered"]]);
  const count = fixture.bench.quick ? 20_000 : 200_000;
  await withClient(fixture.databaseUrl, async (client) => {
    await client.query(logExhausted, [organization, count]);
    await client.query(requestRedelivery, [organization]);
  });
  const finished = "SELECT FROM redeliveries WHERE finished_at IS NULL AND organization_id = ANY ($1)";
  await untilNone(fixture, finished, [organization]);
  await untilSent(fixture, [organization]);
};

/** The same while workers are killed: at most ten times, so that it ends within `withinMs`. */
export const longRedeliveryWithKills: Burden = async (fixture, random) => {
  const redelivery = { isDone: false };
  const redelivering = longRedelivery(fixture, random).finally(() => {
    redelivery.isDone = true;
  });
  for (let kills = 0; kills < 10 && !redelivery.isDone; kills += 1) {
    await sleep(5_000);
    await killWorkers(fixture, random);
  }
  await redelivering;
};

/** Fills the gap of an ordered subscription that was edited while it was disabled. */
export const editedGap: Burden = async (fixture) => {
  const [organization = ""] = await fixture.addOrganizations([["slow/gap/ordered", "steady/gap/ordered"]]);
  const change = (assignments: string) =>
    withClient(fixture.databaseUrl, (client) =>
      client.query(`UPDATE subscriptions SET ${assignments} WHERE organization_id = $1`, [organization]),
    );
  await change("enabled = false");
  await publishMessages(fixture, [organization], { perSecond: 400, seconds: fixture.bench.quick ? 2 : 12 });
  await change("event_types = event_types || '{lead.created}'");
  await change("enabled = true, filling_gap = true");
  await publishMessages(fixture, [organization], { perSecond: 50, seconds: 3 });
  await untilNone(fixture, "SELECT FROM subscriptions WHERE filling_gap AND organization_id = ANY ($1)", [
    organization,
  ]);
  await untilSent(fixture, [organization]);
};

function addGreedy(fixture: Fixture, behaviour: string): Promise<string[]> {
  return fixture.addOrganizations(Array.from({ length: 2 }, () => Array<string>(100).fill(behaviour)));
}

async function startPublisher({ bench, databaseUrl }: Fixture) {
  const publisher = bench.start<EventPublisher>("harness/publisher.ts");
  await publisher.call("connect", databaseUrl);
  return publisher;
}

async function publishMessages(
  fixture: Fixture,
  organizations: string[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<void> {
  const publisher = await startPublisher(fixture);
  const conversations = Array.from({ length: 20 }, () => randomUUIDv7());
  await publisher.call("startMessages", organizations, perSecond, conversations);
  await sleep(seconds * 1_000);
  await publisher.call("stop");
  await publisher.stop();
}

function untilSent(fixture: Fixture, organizations: string[]): Promise<void> {
  return untilNone(fixture, "SELECT FROM deliveries WHERE organization_id = ANY ($1) LIMIT 1", organizations);
}

async function untilNone({ databaseUrl }: Fixture, query: string, organizations: string[]): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const isNone = async () => (await client.query(query, [organizations])).rowCount === 0;
    await until(isNone, { everyMs: 200, withinMs, message: "void: a burden takes more than five minutes" });
  });
}

/** Adds events of the last hour, with an exhausted delivery each. $1 organization, $2 number */
const logExhausted = `
  WITH new AS (
    SELECT uuidv7() AS event_id, uuidv7() AS delivery_id, now() - number * interval '10 milliseconds' AS at
    FROM generate_series(1, $2::int) AS number
  ), event AS (
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT event_id, $1, 'conversation.message_received', json_build_object('data', json_build_object('id', event_id)), at FROM new
  ), subscription AS (
    SELECT id FROM subscriptions WHERE organization_id = $1
  ), written AS (
    INSERT INTO written SELECT delivery_id, subscription.id, event_id FROM new, subscription
  )
  INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id, event_type, outcome, duration_ms)
  SELECT delivery_id, 1, at, $1, subscription.id, event_id, 'conversation.message_received', 'exhausted', 1 FROM new, subscription`;

/** As the API does. $1 organization */
const requestRedelivery = `
  INSERT INTO redeliveries (organization_id, subscription_id, status, since, until, searched_at, searched_id)
  SELECT $1, id, 'exhausted', now() - interval '2 hours', now(), now() - interval '2 hours', '00000000-0000-0000-0000-000000000000'
  FROM subscriptions WHERE organization_id = $1`;
