import type { Client } from "pg";
import { leadCreatedBody } from "../deliveries/body.ts";
import type { Arrival } from "../faults/receiver.ts";
import type { Subscriber } from "../harness/seed-subscriptions.ts";
import type { Setting } from "./setting.ts";

/** Empties the tables of deliveries and closes every circuit. */
export async function clear(client: Client): Promise<void> {
  await client.query("TRUNCATE events, deliveries, delivery_attempts");
  await client.query("UPDATE subscriptions SET status = 'active', failure_count = 0");
  await client.query(
    "UPDATE subscription_queues SET lease_worker = NULL, leased_at = NULL, circuit_open_until = NULL",
  );
}

/** Makes so many deliveries due for one subscription, each of an event of its own. */
export async function addBacklog(client: Client, subscriber: Subscriber, count: number): Promise<void> {
  const { organizationId, subscriptionId } = subscriber;
  await client.query(
    `WITH event AS (
       INSERT INTO events (id, organization_id, type, body, created_at)
       SELECT uuidv7(), $1, 'lead.created', $3, now() FROM generate_series(1, $4::int) RETURNING id
     )
     INSERT INTO deliveries (organization_id, subscription_id, event_id) SELECT $1, $2, id FROM event`,
    [organizationId, subscriptionId, leadCreatedBody(organizationId, 0), count],
  );
}

/** So that what is measured is not what seeding left behind. */
export async function settle(client: Client): Promise<void> {
  await client.query("VACUUM ANALYZE events, deliveries, delivery_attempts, subscription_queues");
  await client.query("CHECKPOINT");
}

/** What the bad ones did meanwhile. */
export interface BadOnes {
  backlogSent: number;
  /** Attempts that got no answer. */
  hung: number;
  /** Attempts at the address where nobody listens. */
  refused: number;
}

/** @throws when one of them was not bad enough, so that the run is void */
export async function readBadOnes(
  client: Client,
  bad: Setting["bad"],
  arrivals: Arrival[],
): Promise<BadOnes> {
  const { rows } = await client.query<{ left: number; refused: number }>(
    `SELECT (SELECT count(*) FROM deliveries WHERE subscription_id = $1)::int AS left,
            (SELECT count(*) FROM delivery_attempts WHERE subscription_id = $2)::int AS refused`,
    [bad.backlog.subscriptionId, bad.down.subscriptionId],
  );
  const { left = 0, refused = 0 } = rows[0] ?? {};
  const backlogSent = arrivals.filter(({ accepted }) => accepted).length;
  const hung = arrivals.length - backlogSent;
  if (left === 0 || backlogSent === 0 || refused === 0 || hung < 8) {
    throw new Error(`void: not bad enough: ${JSON.stringify({ left, backlogSent, hung, refused })}`);
  }
  return { backlogSent, hung, refused };
}
