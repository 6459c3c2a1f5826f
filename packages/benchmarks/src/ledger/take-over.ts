import { nowMs } from "../harness/clock.ts";
import { until } from "../harness/until.ts";
import { withClient } from "../harness/with-client.ts";
import type { Fleet, Member } from "./fleet.ts";

const words = "void: the leases of a killed worker were not taken over within 10 s";

/** What one worker has leased. */
export interface Leases {
  member: Member;
  workerId: string;
  subscriptions: string[];
}

/** @param subscriptions the others are left out */
export async function readLeases(
  databaseUrl: string,
  { members }: Fleet,
  subscriptions: string[],
): Promise<Leases[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<Omit<Leases, "member"> & { name: string }>(leasesByName, [subscriptions]),
  );
  return rows.flatMap(({ name, ...leases }) => {
    const member = members.find((one) => one.name === name);
    return member ? [{ member, ...leases }] : [];
  });
}

/**
 * Kills a worker whose leases always have something due and open gates.
 *
 * @returns milliseconds until others had taken all of them over
 */
export async function killAndWatch(
  databaseUrl: string,
  fleet: Fleet,
  { member, workerId, subscriptions }: Leases,
): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const waiting = new Set(subscriptions);
    const killedAt = nowMs();
    await fleet.kill(member);
    const isTakenOver = async () => {
      const { rows } = await client.query<{ id: string }>(leasedByOthers, [[...waiting], workerId]);
      for (const { id } of rows) waiting.delete(id);
      return waiting.size === 0;
    };
    await until(isTakenOver, { everyMs: 5, withinMs: 10_000, words });
    return nowMs() - killedAt;
  });
}

const leasesByName = `
  SELECT application_name AS name, lease_worker AS "workerId", array_agg(subscription_id::text) AS subscriptions
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  JOIN subscription_queues ON lease_worker = (classid::bigint << 32) | objid::bigint
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND subscription_id = ANY ($1::uuid[])
  GROUP BY 1, 2`;

const leasedByOthers = `
  SELECT subscription_id AS id FROM subscription_queues
  WHERE subscription_id = ANY ($1::uuid[]) AND lease_worker IS NOT NULL AND lease_worker IS DISTINCT FROM $2::bigint`;
