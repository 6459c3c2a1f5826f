import { randomUUIDv7 } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../harness/random.ts";
import { withClient } from "../harness/seed.ts";
import { until } from "../harness/time.ts";
import { balance, type Ledger } from "./balance.ts";
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
}

export interface RoundResult extends Ledger {
  /** How often the fault happened. */
  faults: number;
  takeOvers: number[];
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
  { workers: workerCount, behaviours, fault }: Plan,
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
  // A fault that cannot be injected ends the round immediately.
  await Promise.race([sleep(seconds * 1_000), injecting.then(() => new Promise<never>(() => {}))]);
  over = true;
  const faults = await injecting;
  const list = await publisher.call("stop");
  await publisher.stop();
  await moveDatabaseClock(databaseUrl, "2 hours"); // Moved clocks may have scheduled deliveries later.
  return withClient(databaseUrl, async (client) => {
    const isSettled = async () => (await client.query(pending)).rowCount === 0;
    const message = "void: a delivery is still pending after a minute";
    await until(isSettled, { everyMs: 100, withinMs: 60_000, message });
    await Promise.all([...workers.values()].map((worker) => worker.call("stop"))); // Throws if one ended by itself.
    await Promise.all([...workers.values()].map((worker) => worker.stop()));
    return { ...(await balance(client, list, await receiver.call("take"))), faults, takeOvers };
  });
}

/** Deliveries of failed subscriptions are kept. */
const pending = `
  SELECT 1 FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id WHERE s.status = 'active' LIMIT 1`;
