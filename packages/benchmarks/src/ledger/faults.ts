import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import { withClient } from "../harness/with-client.ts";
import { moveDatabaseClock } from "./database-clock.ts";
import type { Scene } from "./scene.ts";
import { killAndWatch, type Leases, readLeases } from "./take-over.ts";

/** Something that goes wrong at a random moment. */
export type Fault = (scene: Scene, random: Random) => Promise<void>;

/** Kills one or two workers that have leases, not all; others come in their place when these were taken over. */
export const killWorkers: Fault = async ({ fleet, databaseUrl, steady, takeOvers }, random) => {
  let leases: Leases[] = [];
  const someHaveLeases = async () => {
    leases = await readLeases(databaseUrl, fleet, steady);
    return leases.length > 0;
  };
  await until(someHaveLeases, { everyMs: 20, withinMs: 10_000, words: "void: no worker has leases" });
  const victims = leases.slice(0, Math.min(random.integer(1, 2), fleet.members.length - 1));
  takeOvers.push(...(await Promise.all(victims.map((victim) => killAndWatch(databaseUrl, fleet, victim)))));
  await Promise.all(victims.map(() => fleet.add()));
};

/** As `killWorkers`, where the database may be away: nobody looks when the leases are taken over. */
const killUnwatched: Fault = async ({ fleet }, random) => {
  await fleet.kill(random.pick(fleet.members));
  await fleet.add();
};

/** The server ends connections of workers and of the publisher, in whatever they are doing. */
export const terminateConnections: Fault = async ({ databaseUrl }, random) => {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>(backends);
    const victims = rows.filter(() => random.chance(0.3)).map(({ pid }) => pid);
    await client.query("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid", [victims]);
  });
};

/** Workers' connections break, half of the time when the server has done what it was asked and answers. */
export const cutNetwork: Fault = async ({ proxy }, random) =>
  random.chance(0.5) ? proxy.cut() : proxy.cutAtAnswer();

export const restartDatabase: Fault = async ({ bench }) => bench.restartDatabase();

/** Kills a server process of PostgreSQL, which then recovers from its log. */
export const crashDatabase: Fault = async ({ databaseUrl }, random) => {
  const { rows } = await withClient(databaseUrl, (client) => client.query<{ pid: number }>(backends));
  if (rows.length > 0) process.kill(random.pick(rows).pid, "SIGKILL");
};

/** Sets a worker's wall clock or the database's, forwards or back. */
export const moveClocks: Fault = async ({ databaseUrl, fleet }, random) => {
  if (random.chance(0.5)) await moveDatabaseClock(databaseUrl, random.pick(["1 hour", "0", "-3 seconds"]));
  else await random.pick(fleet.members).process.call("moveClock", random.pick([3_600_000, 0, -3_600_000]));
};

/** Any of them. */
export const anything: Fault = async (scene, random) => {
  const faults = [killUnwatched, terminateConnections, cutNetwork, restartDatabase, moveClocks];
  await random.pick(faults)(scene, random);
};

/** One after the other. */
export function inTurn(...faults: Fault[]): Fault {
  let next = 0;
  return async (scene, random) => {
    const fault = faults[next++ % faults.length];
    await fault?.(scene, random);
  };
}

const backends = `
  SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
  ORDER BY pid`;

/** When a fault happens. */
export interface Schedule {
  /** Milliseconds from one time to the next. */
  everyMs: [least: number, most: number];
  /** So often at least, however long that takes. */
  times: number;
}

/**
 * Lets a fault happen again and again, at moments that the random numbers choose.
 *
 * @returns how often it happened
 */
export async function injectUntil(
  over: () => boolean,
  fault: Fault,
  scene: Scene,
  random: Random,
  { everyMs: [least, most], times }: Schedule,
): Promise<number> {
  for (let happened = 0; ; happened += 1) {
    await sleep(random.integer(least, most));
    if (over() && happened >= times) return happened;
    await untilItHappens(fault, scene, random);
  }
}

/** The database may be away while it recovers from the fault before. */
async function untilItHappens(fault: Fault, scene: Scene, random: Random): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await fault(scene, random);
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(250);
    }
  }
}
