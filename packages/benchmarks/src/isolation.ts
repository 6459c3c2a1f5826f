/** How long healthy subscriptions wait for their deliveries while others hang, are down or have 100,000 pending deliveries. */
import { runBench } from "./harness/bench.ts";
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
  /** Deliveries of the backlog. */
  sent: number;
  /** Attempts without a response. */
  hung: number;
  /** Attempts to connect to a port on which nothing listens. */
  refused: number;
}

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const seconds = bench.quick ? 3 : 5;
  const worker = bench.start<RealWorker>("harness/real-worker.ts");
  const receiver = bench.start<Receiver>("harness/receiver.ts");
  const failingReceiver = bench.start<Receiver>("harness/receiver.ts");
  const publisher = bench.start<EventPublisher>("harness/publisher.ts");
  const [url, failingUrl] = [await receiver.call("start"), await failingReceiver.call("start")];
  await publisher.call("connect", databaseUrl);
  const variables = {
    ...createVariables(databaseUrl),
    // With the default backoff the worker would soon stop sending to the failing subscriptions.
    DELIVERY_BACKOFF: "0,0,1",
    DELIVERY_MAX_FAILURES: "100",
    DELIVERY_MAX_ATTEMPTS: "100",
  };

  await withClient(databaseUrl, async (client) => {
    // Each subscription has a separate organization.
    const subscribers = await seedSubscriptions(client, variables, [
      ...Array.from({ length: healthyCount }, (_, i) => [`${url}/steady/${i}`]),
      ["http://127.0.0.1:9"],
      [`${failingUrl}/steady`],
      [`${failingUrl}/hanging`],
    ]);
    const organizationIds = subscribers.map(({ organizationId }) => organizationId);
    const [down, behind] = subscribers.slice(healthyCount) as [Subscriber, Subscriber];
    const failures: Failures[] = [];

    /** Removes all deliveries, closes every circuit, and adds a backlog. */
    async function reset(pending: number): Promise<void> {
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
        [behind.organizationId, behind.subscriptionId, leadCreatedBody(behind.organizationId, 0), pending],
      );
      await client.query("VACUUM ANALYZE events, deliveries, delivery_attempts, subscription_queues");
      await client.query("CHECKPOINT");
      await failingReceiver.call("take");
      await worker.call("start", variables);
    }
    /** Publishes events for the first subscriptions, and returns the waits of the healthy ones. */
    function publish(count: number): Promise<Waits> {
      const some = { organizationIds: organizationIds.slice(0, count), perSecond: perSecond * count };
      return publishAndWait(
        { publisher, receiver, ...some },
        seconds,
        organizationIds.slice(0, healthyCount),
      );
    }
    async function measureAlone(): Promise<Waits> {
      await reset(0);
      const waits = await publish(healthyCount);
      await worker.call("stop");
      return waits;
    }
    /** @throws when the failing ones did not fail enough: the run is void */
    async function measureAmongFailing(): Promise<Waits> {
      await reset(backlog);
      const waits = await publish(subscribers.length);
      const arrivals = await failingReceiver.call("take");
      const { rows } = await client.query<{ left: number; refused: number }>(
        `SELECT (SELECT count(*) FROM deliveries WHERE subscription_id = $1)::int AS left,
                (SELECT count(*) FROM delivery_attempts WHERE subscription_id = $2)::int AS refused`,
        [behind.subscriptionId, down.subscriptionId],
      );
      const { left = 0, refused = 0 } = rows[0] ?? {};
      const sent = arrivals.filter(({ accepted }) => accepted).length;
      const hung = arrivals.length - sent;
      failures.push({ sent, hung, refused });
      if (left === 0 || sent === 0 || refused === 0 || hung < 8) {
        throw new Error(`void: too few failures: ${JSON.stringify({ left, sent, hung, refused })}`);
      }
      await failingReceiver.call("disconnect"); // The worker waits for attempts in flight.
      await worker.call("stop");
      return waits;
    }

    const sides = { "healthy with failing": measureAmongFailing, "only healthy": measureAlone };
    await compareSides("ms from commit to arrival", waitColumns, sides, { rounds: bench.rounds(8) });
    const [, ...measured] = failures; // Without the warm-up.
    const column = (figure: keyof Failures) =>
      withSpread(
        measured.map((round) => round[figure]),
        0,
      );
    console.log(
      `in that time, ${column("sent")} deliveries of the backlog of ${backlog.toLocaleString("en")} were sent, ` +
        `${column("hung")} attempts hung, ${column("refused")} were refused`,
    );
  });
});
