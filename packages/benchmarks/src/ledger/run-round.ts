import { setTimeout as sleep } from "node:timers/promises";
import type { Arrival } from "../faults/receiver.ts";
import { createRandom } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import { withClient } from "../harness/with-client.ts";
import { balance, type Ledger } from "./balance.ts";
import { moveDatabaseClock } from "./database-clock.ts";
import { type Fault, injectUntil, type Schedule } from "./faults.ts";
import { type Scene, type Stage, setScene } from "./scene.ts";

/** What a round is about. */
export interface Plan {
  name: string;
  workers: number;
  /** See `faults/receiver.ts`. */
  behaviours: string[];
  /** What goes wrong meanwhile. */
  fault?: Schedule & { happen: Fault };
}

export interface RoundResult extends Ledger {
  /** How often something went wrong. */
  faults: number;
  takeOvers: number[];
}

/** Events a second, over all organizations. */
const perSecond = 60;

/**
 * Publishes while things go wrong, waits until nothing is due any more, and balances the books.
 *
 * @throws when they do not balance
 */
export async function runRound(
  stage: Stage,
  plan: Plan,
  seconds: number,
  seed: number,
): Promise<RoundResult> {
  const { workers, behaviours, fault } = plan;
  const scene = await setScene(stage, behaviours, workers);
  const { publisher, fleet, receiver, databaseUrl, takeOvers } = scene;
  await publisher.call("start", scene.organizationIds, perSecond);
  let over = false;
  const injecting = fault
    ? injectUntil(() => over, fault.happen, scene, createRandom(seed), fault)
    : Promise.resolve(0);
  const failed = injecting.then(() => new Promise<never>(() => {}));
  await Promise.race([sleep(seconds * 1_000), failed]);
  over = true;
  const faults = await injecting;
  const list = await publisher.call("stop");
  await publisher.stop();
  await settle(scene);
  await fleet.stop();
  const arrivals: Arrival[] = await receiver.call("take");
  const ledger = await withClient(databaseUrl, (client) => balance(client, list, arrivals));
  return { ...ledger, faults, takeOvers };
}

/** Waits until nothing is due, except for what failed subscriptions hold. */
async function settle({ databaseUrl }: Scene): Promise<void> {
  await moveDatabaseClock(databaseUrl, "2 hours"); // What is due only then, since a clock had been moved, is due now.
  await withClient(databaseUrl, (client) =>
    until(async () => (await client.query(somethingDue)).rowCount === 0, {
      everyMs: 100,
      withinMs: 60_000,
      words: "void: something is still due after a minute",
    }),
  );
}

const somethingDue = `
  SELECT 1 FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id WHERE s.status = 'active' LIMIT 1`;
