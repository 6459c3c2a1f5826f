/** How long healthy subscriptions wait for their deliveries while others hang, are down or have 100,000 pending ones. */
import type { Client } from "pg";
import { type Bench, runBench } from "./harness/bench.ts";
import type { Child } from "./harness/child.ts";
import { leadCreatedBody } from "./harness/lead.ts";
import type { EventPublisher } from "./harness/publisher.ts";
import type { RealWorker } from "./harness/real-worker.ts";
import type { Receiver } from "./harness/receiver.ts";
import { compareSides, withSpread } from "./harness/report.ts";
import { createVariables, type Subscriber, seedSubscriptions, withClient } from "./harness/seed.ts";
import { publishAndWait, type Waits, waitColumns } from "./harness/waits.ts";

const healthyCount = 47;
/** Pending deliveries of the subscription with a backlog. */
const backlog = 100_000;
/** Events a second of each subscription. */
const perSecond = 4;

/** What the failing subscriptions did during a measurement. */
interface Failures {
  backlogSent: number;
  /** Attempts without an answer. */
  hung: number;
  /** Attempts at the address where nothing listens. */
  refused: number;
}

/** Subscriptions, each of an organization of its own, and the processes that serve them. */
interface Setup {
  client: Client;
  variables: Record<string, string>;
  worker: Child<RealWorker>;
  publisher: Child<EventPublisher>;
  receiver: Child<Receiver>;
  failingReceiver: Child<Receiver>;
  healthy: Subscriber[];
  failing: Record<"hanging" | "down" | "backlog", Subscriber>;
}

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const seconds = bench.quick ? 3 : 5;
  await withClient(databaseUrl, async (client) => {
    const setup = await prepare(bench, databaseUrl, client);
    const failures: Failures[] = [];
    const sides = {
      "healthy ones among failing ones": () => measureAmongFailing(setup, seconds, failures),
      "healthy ones alone": () => measureAlone(setup, seconds),
    };
    await compareSides("ms from commit to arrival", waitColumns, sides, { rounds: bench.rounds(8) });
    const [, ...measured] = failures; // Without the warm-up.
    const column = (figure: keyof Failures) => withSpread(measured, (round) => round[figure], 0);
    console.log(
      `meanwhile, of the backlog of ${backlog.toLocaleString("en")} ${column("backlogSent")} were sent, ` +
        `${column("hung")} attempts hung, ${column("refused")} were refused`,
    );
  });
});

async function prepare(bench: Bench, databaseUrl: string, client: Client): Promise<Setup> {
  const receiver = bench.start<Receiver>("harness/receiver.ts");
  const failingReceiver = bench.start<Receiver>("harness/receiver.ts");
  const publisher = bench.start<EventPublisher>("harness/publisher.ts");
  const [url, failingUrl] = [await receiver.call("start"), await failingReceiver.call("start")];
  const variables = createVariables(databaseUrl);
  const [hanging, down, backlog, ...healthy] = await seedSubscriptions(client, variables, [
    [`${failingUrl}/hanging`],
    ["http://127.0.0.1:9"],
    [`${failingUrl}/steady`],
    ...Array.from({ length: healthyCount }, (_, i) => [`${url}/steady/${i}`]),
  ]);
  if (!hanging || !down || !backlog) throw new Error("the subscriptions were not created");
  await publisher.call("connect", databaseUrl);
  return {
    client,
    worker: bench.start<RealWorker>("harness/real-worker.ts"),
    publisher,
    receiver,
    failingReceiver,
    healthy,
    failing: { hanging, down, backlog },
    variables: {
      ...variables,
      // With the default backoff the worker would soon leave the failing ones alone.
      DELIVERY_PAUSES: "0,0,1",
      DELIVERY_MAX_FAILURES: "100",
      DELIVERY_MAX_ATTEMPTS: "100",
    },
  };
}

/** Only the healthy subscriptions have pending deliveries. */
async function measureAlone(setup: Setup, seconds: number): Promise<Waits> {
  await reset(setup, 0);
  await setup.worker.call("start", setup.variables);
  const waits = await publish(setup, setup.healthy, seconds);
  await setup.worker.call("stop");
  return waits;
}

/** @throws when the failing ones did not fail enough: the run is void */
async function measureAmongFailing(setup: Setup, seconds: number, failures: Failures[]): Promise<Waits> {
  const { client, worker, failing, failingReceiver } = setup;
  await reset(setup, backlog);
  await failingReceiver.call("take");
  await worker.call("start", setup.variables);
  const waits = await publish(setup, [...setup.healthy, ...Object.values(failing)], seconds);
  const arrivals = await failingReceiver.call("take");
  const { rows } = await client.query<{ left: number; refused: number }>(
    `SELECT (SELECT count(*) FROM deliveries WHERE subscription_id = $1)::int AS left,
            (SELECT count(*) FROM delivery_attempts WHERE subscription_id = $2)::int AS refused`,
    [failing.backlog.subscriptionId, failing.down.subscriptionId],
  );
  const { left = 0, refused = 0 } = rows[0] ?? {};
  const backlogSent = arrivals.filter(({ accepted }) => accepted).length;
  const hung = arrivals.length - backlogSent;
  if (left === 0 || backlogSent === 0 || refused === 0 || hung < 8) {
    throw new Error(`void: too few failures: ${JSON.stringify({ left, backlogSent, hung, refused })}`);
  }
  await failingReceiver.call("disconnect"); // The worker waits for attempts in flight.
  await worker.call("stop");
  failures.push({ backlogSent, hung, refused });
  return waits;
}

/** Removes all deliveries, closes every circuit, and adds a backlog. */
async function reset({ client, failing }: Setup, count: number): Promise<void> {
  const { organizationId, subscriptionId } = failing.backlog;
  await client.query("TRUNCATE events, deliveries, delivery_attempts");
  await client.query("UPDATE subscriptions SET status = 'active', failure_count = 0");
  await client.query(
    "UPDATE subscription_queues SET lease_worker = NULL, leased_at = NULL, circuit_open_until = NULL",
  );
  await client.query(
    `WITH event AS (
       INSERT INTO events (id, organization_id, type, body, created_at)
       SELECT uuidv7(), $1, 'lead.created', $3, now() FROM generate_series(1, $4::int) RETURNING id
     )
     INSERT INTO deliveries (organization_id, subscription_id, event_id) SELECT $1, $2, id FROM event`,
    [organizationId, subscriptionId, leadCreatedBody(organizationId, 0), count],
  );
  await client.query("VACUUM ANALYZE events, deliveries, delivery_attempts, subscription_queues");
  await client.query("CHECKPOINT");
}

/** Publishes events for these subscribers, and returns the waits of the healthy ones. */
function publish(setup: Setup, subscribers: Subscriber[], seconds: number): Promise<Waits> {
  const idsOf = (some: Subscriber[]) => some.map(({ organizationId }) => organizationId);
  const rate = perSecond * subscribers.length;
  const flow = { ...setup, organizationIds: idsOf(subscribers), perSecond: rate };
  return publishAndWait(flow, seconds, idsOf(setup.healthy));
}
