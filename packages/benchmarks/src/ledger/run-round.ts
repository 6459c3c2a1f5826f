import { randomUUIDv7 } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { PublishedList } from "../harness/publisher.ts";
import { createRandom } from "../harness/random.ts";
import type { Arrival } from "../harness/receiver.ts";
import { withClient } from "../harness/seed.ts";
import { until } from "../harness/time.ts";
import { balance, type Ledger } from "./balance.ts";
import type { Burden } from "./burdens.ts";
import type { Fault } from "./faults.ts";
import { createFixture, type Environment, moveDatabaseClock, retried } from "./fixture.ts";

/** When a fault happens. */
export interface Schedule {
  /** Milliseconds from one time to the next. */
  everyMs: [least: number, most: number];
  /** Minimum number of times, however long they take. */
  times: number;
}

export interface Plan {
  workers: number;
  /** See `harness/receiver.ts`. */
  behaviours: string[];
  fault?: Schedule & { happen: Fault };
  /** Begins after two seconds. The round lasts at least until it is done. */
  burden?: Burden;
  /** Longest time from an event's commit to its arrival at a receiver that always accepts, in milliseconds. Default: unlimited. */
  longestWaitMs?: number;
}

export interface RoundResult extends Ledger {
  /** How often the fault happened. */
  faults: number;
  takeOvers: number[];
  /** Longest time from an event's commit to its first arrival at a receiver that always accepts, without the burden's organizations; ms. */
  longestWait: number;
  /** Largest resident set size of a worker, in MB. */
  memory: number;
}

/** Events a second of all organizations together. */
const perSecond = 60;
/** Conversations of each organization, to which the messages belong in turn. */
const conversationsOfEach = 8;

/**
 * Publishes while faults happen, waits until nothing is pending, and balances the ledger.
 *
 * @throws when it does not balance
 */
export async function runRound(
  environment: Environment,
  { workers: workerCount, behaviours, fault, burden, longestWaitMs = Number.POSITIVE_INFINITY }: Plan,
  seconds: number,
  seed: number,
): Promise<RoundResult> {
  const fixture = await createFixture(environment, behaviours, workerCount);
  const { publisher, workers, receiver, databaseUrl, takeOvers } = fixture;
  const conversations = Array.from({ length: conversationsOfEach }, () => randomUUIDv7());
  await publisher.call("startMessages", fixture.organizationIds, perSecond, conversations);
  let over = false;
  const random = createRandom(seed);
  /** Repeats the fault at random times. @returns how often it happened */
  async function inject({ happen, everyMs, times }: NonNullable<Plan["fault"]>): Promise<number> {
    for (let happened = 0; ; happened += 1) {
      await sleep(random.integer(...everyMs));
      if (over && happened >= times) return happened;
      await retried(() => happen(fixture, random));
    }
  }
  const injecting = fault ? inject(fault) : Promise.resolve(0);
  const burdened = burden ? sleep(2_000).then(() => burden(fixture, random)) : Promise.resolve();
  // A fault that cannot be injected ends the round immediately.
  const failing = Promise.all([injecting, burdened]).then(() => new Promise<never>(() => {}));
  await Promise.race([Promise.all([sleep(seconds * 1_000), burdened]), failing]);
  over = true;
  const faults = await injecting;
  const list = await publisher.call("stop");
  await publisher.stop();
  await moveDatabaseClock(databaseUrl, "2 hours"); // Moved clocks may have scheduled deliveries later.
  return withClient(databaseUrl, async (client) => {
    const isSettled = async () => (await client.query(pending)).rowCount === 0;
    const message = "void: a delivery is still pending after three minutes";
    await until(isSettled, { everyMs: 100, withinMs: 180_000, message });
    const memory = await Promise.all([...workers.values()].map((worker) => worker.call("mostMemory")));
    await Promise.all([...workers.values()].map((worker) => worker.call("stop"))); // Throws if one ended by itself.
    await Promise.all([...workers.values()].map((worker) => worker.stop()));
    const arrivals = await receiver.call("take");
    const longestWait = longestOf(list, arrivals);
    if (longestWait > longestWaitMs)
      throw new Error(
        `void: a delivery arrived after ${Math.round(longestWait)} ms; workers had ${Math.round(Math.max(...memory))} MB`,
      );
    const ledger = await balance(client, list, arrivals);
    return { ...ledger, faults, takeOvers, longestWait, memory: Math.max(...memory) };
  });
}

function longestOf({ published }: PublishedList, arrivals: Arrival[]): number {
  const committedAt = new Map(published.map(({ recordId, committedAt }) => [recordId, committedAt]));
  const first = new Map(
    arrivals
      .filter(({ path }) => path === "/steady")
      .toReversed()
      .map((arrival) => [arrival.deliveryId, arrival]),
  );
  const waits = [...first.values()].map(({ recordId, at }) => at - (committedAt.get(recordId) ?? at));
  return waits.reduce((longest, wait) => Math.max(longest, wait), 0);
}

/** Deliveries of failed subscriptions are kept. */
const pending = `
  SELECT 1 FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id WHERE s.status = 'active' LIMIT 1`;
