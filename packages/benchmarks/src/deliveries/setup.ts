import { randomUUIDv7 } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Bench } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import { leadCreatedBody } from "../harness/lead.ts";
import type { RealWorker } from "../harness/real-worker.ts";
import type { Arrival, Receiver } from "../harness/receiver.ts";
import { createVariables, type Subscriber, seedSubscriptions, type Variables } from "../harness/seed.ts";
import { nowMs, until } from "../harness/time.ts";
import { type Delivery, type Sender, signedHeaders } from "./sender.ts";

export interface Context {
  bench: Bench;
  databaseUrl: string;
  client: Client;
}

/** Subscriptions, workers that serve them, and the receiver of their deliveries. */
export interface Setup {
  client: Client;
  receiver: Child<Receiver>;
  /** The target of every subscription. */
  url: string;
  workers: Child<RealWorker>[];
  /** The workers' environment. */
  variables: Variables;
  subscribers: Subscriber[];
  /** Deliveries of a run. */
  count: number;
  /** Number of records to which the events belong in turn. Default: each event has another record. */
  records?: number;
}

/** Figures of one run. */
export interface Figures {
  /** Deliveries a second, from the first to the last arrival. */
  rate: number;
  /** Deliveries a second, from the first arrival until the log contains all of them; equals `rate` without a log. */
  logged: number;
  /** Seconds of CPU of the processes that send. */
  cpu: number;
}

export const subscriptions = 50;
/** Time after which workers have also started their jobs. */
const startMs = 2_000;

/** Creates one organization for each subscription. Receiver, URL and workers can be given. */
export async function prepare(
  { bench, databaseUrl, client }: Context,
  given: Partial<Pick<Setup, "receiver" | "url" | "workers">> = {},
  count = subscriptions,
): Promise<Setup> {
  const variables = createVariables(databaseUrl);
  const receiver = given.receiver ?? bench.start<Receiver>("harness/receiver.ts");
  const url = given.url ?? `${await receiver.call("start")}/steady`;
  const targets = Array.from({ length: count }, () => [url]);
  return {
    client,
    receiver,
    url,
    workers: given.workers ?? [bench.start<RealWorker>("harness/real-worker.ts")],
    variables,
    subscribers: await seedSubscriptions(client, variables, targets),
    count: bench.quick ? 2_000 : 20_000,
  };
}

/** Sends new deliveries with Parley's workers. @throws when the run is void */
export async function measureWorkers(setup: Setup): Promise<Figures> {
  const { client, workers, variables, receiver, count } = setup;
  const deliveries = createDeliveries(setup);
  await seedDeliveries(client, deliveries);
  await client.query("UPDATE subscriptions SET status = 'failed'");
  const readCpu = async () => {
    const seconds = await Promise.all(workers.map((worker) => worker.call("cpuSeconds")));
    return seconds.reduce((sum, one) => sum + one, 0);
  };
  await Promise.all(workers.map((worker) => worker.call("start", variables)));
  await sleep(startMs);
  const cpuBefore = await readCpu();
  await client.query("UPDATE subscriptions SET status = 'active', gap_from = NULL");
  await client.query(`SELECT pg_notify('parley_webhooks', '{"kind":"pending","subscriptions":"all"}')`);
  const deadline = { withinMs: 60_000, message: "void: deliveries are missing after a minute" };
  await until(async () => (await receiver.call("count")) >= count, { everyMs: 10, ...deadline });
  await until(async () => (await countLogged(client)) >= count, { everyMs: 2, ...deadline });
  const loggedAt = nowMs();
  const cpu = (await readCpu()) - cpuBefore;
  await Promise.all(workers.map((worker) => worker.call("stop")));
  const { rate, firstAt } = check("worker", deliveries, await receiver.call("take"));
  await checkLog(client, deliveries);
  return { rate, logged: perSecond(count, firstAt, loggedAt), cpu };
}

/** Sends new deliveries with another program. @throws when the run is void */
export async function measureSender(label: string, sender: Child<Sender>, setup: Setup): Promise<Figures> {
  const { receiver, url, count } = setup;
  const deliveries = createDeliveries(setup);
  await sender.call("enqueue", deliveries);
  const cpuBefore = await sender.call("cpuSeconds");
  await sender.call("run", url, count);
  const cpu = (await sender.call("cpuSeconds")) - cpuBefore;
  const { rate } = check(label, deliveries, await receiver.call("take"));
  return { rate, logged: rate, cpu };
}

function perSecond(count: number, fromMs: number, toMs: number): number {
  return (count / (toMs - fromMs)) * 1_000;
}

/** Creates deliveries for the subscribers in turn. */
function createDeliveries({ subscribers, count, records = 0 }: Setup): Delivery[] {
  const leadIds = Array.from({ length: records }, () => randomUUIDv7());
  return Array.from({ length: count }, (_, i) => {
    const eventId = randomUUIDv7();
    const subscriber = subscribers[i % subscribers.length] as Subscriber;
    return {
      ...subscriber,
      id: randomUUIDv7(),
      eventId,
      body: leadCreatedBody(eventId, i, leadIds[i % records]),
    };
  });
}

/** Replaces all events, deliveries and attempts of today with these. Earlier days of the log stay. */
async function seedDeliveries(client: Client, deliveries: Delivery[]): Promise<void> {
  const { rows } = await client.query<{ tables: string }>(
    `SELECT concat_ws(', ', 'events', 'deliveries', string_agg(inhrelid::regclass::text, ', ')) AS tables
     FROM pg_inherits
     WHERE inhparent = 'delivery_attempts'::regclass
       AND inhrelid::regclass::text >= 'delivery_attempts_' || to_char(current_date, 'YYYYMMDD')`,
  );
  await client.query(`TRUNCATE ${rows[0]?.tables}`);
  await client.query(
    `WITH new AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[])
         AS new (event_id, organization_id, subscription_id, delivery_id, body)
     ), event AS (
       INSERT INTO events (id, organization_id, type, record_id, body, created_at)
       SELECT event_id, organization_id, 'lead.created', (body::jsonb #>> '{data,id}')::uuid, body, now() FROM new
       RETURNING id, record_id, sequence
     )
     INSERT INTO deliveries (id, organization_id, subscription_id, event_id, record_key, sequence)
     SELECT delivery_id, organization_id, subscription_id, event_id,
            CASE WHEN ordering IS NOT NULL THEN record_id END,
            CASE WHEN ordering IS NOT NULL THEN sequence END
     FROM new JOIN event ON event.id = event_id
     JOIN (SELECT id, ordering FROM subscriptions) AS subscription ON subscription.id = subscription_id`,
    (["eventId", "organizationId", "subscriptionId", "id", "body"] as const).map((column) =>
      deliveries.map((delivery) => delivery[column]),
    ),
  );
  await client.query("VACUUM ANALYZE events, deliveries, subscription_queues");
  await client.query("CHECKPOINT");
}

/** @throws when a delivery did not arrive, arrived twice, or had a wrong signature (of every 500th): the run is void */
function check(
  label: string,
  deliveries: Delivery[],
  arrivals: Arrival[],
): { rate: number; firstAt: number } {
  const expected = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const arrived = new Set(arrivals.map(({ deliveryId }) => deliveryId));
  const missing = deliveries.filter(({ id }) => !arrived.has(id)).length;
  const repeated = arrivals.length - arrived.size;
  const unknown = arrivals.filter(({ deliveryId }) => !expected.has(deliveryId)).length;
  const samples = arrivals.flatMap(({ sample }) => sample ?? []);
  const unsigned = samples.filter(({ headers, body }) => {
    const delivery = expected.get(String(headers["x-parley-delivery"]));
    if (delivery?.body !== body) return true;
    const signed = signedHeaders(delivery, String(headers["x-parley-timestamp"]));
    return Object.entries(signed).some(
      ([name, value]) => name !== "user-agent" && String(headers[name]).split(" v1a,")[0] !== value,
    );
  }).length;
  if (missing + repeated + unknown + unsigned > 0 || samples.length === 0) {
    const counts = { missing, repeated, unknown, unsigned, samples: samples.length };
    throw new Error(`void: ${label}: ${JSON.stringify(counts)}`);
  }
  const [firstAt, lastAt] = [arrivals[0]?.at ?? 0, arrivals.at(-1)?.at ?? 0];
  return { rate: perSecond(deliveries.length, firstAt, lastAt), firstAt };
}

/** Returns the number of today's attempts in the log. */
async function countLogged(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int FROM delivery_attempts WHERE attempted_at >= current_date",
  );
  return rows[0]?.count ?? 0;
}

/** @throws when a delivery is not in the log exactly once, as delivered at the first attempt, or is still pending */
async function checkLog(client: Client, deliveries: Delivery[]): Promise<void> {
  const { rows } = await client.query<{ wrong: number }>(
    `SELECT (SELECT count(*) FROM deliveries)::int + count(*)::int AS wrong
     FROM (SELECT id, count(a.delivery_id) AS attempts,
                  bool_and(a.outcome = 'delivered' AND a.attempt = 1 AND a.status_code = 200) AS delivered
           FROM unnest($1::uuid[]) AS id
           LEFT JOIN delivery_attempts a ON a.delivery_id = id AND a.attempted_at >= current_date GROUP BY id) AS log
     WHERE attempts <> 1 OR NOT delivered`,
    [deliveries.map(({ id }) => id)],
  );
  const logged = await countLogged(client);
  if (rows[0]?.wrong === 0 && logged === deliveries.length) return;
  throw new Error(
    `void: the log holds ${logged} attempts of ${deliveries.length}, ${rows[0]?.wrong} are wrong`,
  );
}
