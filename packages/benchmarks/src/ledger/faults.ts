import type { Random } from "../harness/random.ts";
import { withClient } from "../harness/seed.ts";
import { nowMs, until } from "../harness/time.ts";
import { type Fixture, moveDatabaseClock } from "./fixture.ts";

/** A fault that happens at a random time. */
export type Fault = (fixture: Fixture, random: Random) => Promise<void>;

interface Leases {
  name: string;
  workerId: string;
  subscriptions: string[];
}

/** Kills one or two workers that have leases, but not all workers, and replaces them after others have taken over the leases. */
export const killWorkers: Fault = async (fixture, random) => {
  const { databaseUrl, workers, steady, takeOvers } = fixture;
  const victims = await withClient(databaseUrl, async (client) => {
    let leases: Leases[] = [];
    const someHaveLeases = async () => {
      const { rows } = await client.query<Leases>(leasesByWorker, [steady]);
      leases = rows.filter(({ name }) => workers.has(name));
      return leases.length > 0;
    };
    await until(someHaveLeases, { everyMs: 20, withinMs: 10_000, message: "void: no worker has leases" });
    return leases.slice(0, Math.min(random.integer(1, 2), workers.size - 1));
  });
  takeOvers.push(...(await Promise.all(victims.map((victim) => killAndWait(fixture, victim)))));
  await Promise.all(victims.map(() => fixture.startWorker()));
};

/** @returns milliseconds until other workers had taken over the leases of this one */
async function killAndWait(fixture: Fixture, { name, workerId, subscriptions }: Leases): Promise<number> {
  return withClient(fixture.databaseUrl, async (client) => {
    const waiting = new Set(subscriptions);
    const killedAt = nowMs();
    await kill(fixture, name);
    const isTakenOver = async () => {
      const { rows } = await client.query<{ id: string }>(leasedByOthers, [[...waiting], workerId]);
      for (const { id } of rows) waiting.delete(id);
      return waiting.size === 0;
    };
    const message = "void: the leases of a killed worker were not taken over within 10 s";
    await until(isTakenOver, { everyMs: 5, withinMs: 10_000, message });
    return nowMs() - killedAt;
  });
}

async function kill({ workers }: Fixture, name: string): Promise<void> {
  const worker = workers.get(name);
  workers.delete(name);
  await worker?.kill();
}

/** Like `killWorkers`, but does not read the leases, because the database may be stopped. */
const killUnwatched: Fault = async (fixture, random) => {
  await kill(fixture, random.pick([...fixture.workers.keys()]));
  await fixture.startWorker();
};

/** Terminates connections of workers and of the publisher on the server. */
export const terminateConnections: Fault = async ({ databaseUrl }, random) => {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>(backends);
    const victims = rows.filter(() => random.chance(0.3)).map(({ pid }) => pid);
    await client.query("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid", [victims]);
  });
};

/** Closes workers' connections, half of the time after the server has executed a statement, before its result. */
export const cutNetwork: Fault = async ({ proxy }, random) =>
  random.chance(0.5) ? proxy.cut() : proxy.cutAtResponse();

/** Drops all packets of the workers' connections. */
export const silenceNetwork: Fault = async ({ proxy }) => proxy.silence();

export const restartDatabase: Fault = async ({ bench }) => bench.restartDatabase();

/** Kills a server process of PostgreSQL, which then recovers from its write-ahead log. */
export const crashDatabase: Fault = async ({ databaseUrl }, random) => {
  const { rows } = await withClient(databaseUrl, (client) => client.query<{ pid: number }>(backends));
  if (rows.length > 0) process.kill(random.pick(rows).pid, "SIGKILL");
};

/** Sets the wall clock of a worker or of the database forwards or back. */
export const moveClocks: Fault = async ({ databaseUrl, workers }, random) => {
  if (random.chance(0.5)) await moveDatabaseClock(databaseUrl, random.pick(["1 hour", "0", "-3 seconds"]));
  else await random.pick([...workers.values()]).call("moveClock", random.pick([3_600_000, 0, -3_600_000]));
};

export const anyFault: Fault = async (fixture, random) => {
  const faults = [killUnwatched, terminateConnections, cutNetwork, restartDatabase, moveClocks];
  await random.pick(faults)(fixture, random);
};

const backends = `
  SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
  ORDER BY pid`;

const leasesByWorker = `
  SELECT application_name AS name, lease_worker AS "workerId", array_agg(subscription_id::text) AS subscriptions
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  JOIN subscription_queues ON lease_worker = (classid::bigint << 32) | objid::bigint
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND subscription_id = ANY ($1::uuid[])
  GROUP BY 1, 2`;

const leasedByOthers = `
  SELECT subscription_id AS id FROM subscription_queues
  WHERE subscription_id = ANY ($1::uuid[]) AND lease_worker IS NOT NULL AND lease_worker IS DISTINCT FROM $2::bigint`;
