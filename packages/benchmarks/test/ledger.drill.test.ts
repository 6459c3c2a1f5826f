import { afterAll, beforeAll, expect, test } from "vitest";
import { openBench } from "../src/harness/bench.ts";
import { withClient } from "../src/harness/seed.ts";
import { balance } from "../src/ledger/balance.ts";
import {
  cutNetwork,
  type Fault,
  killWorkers,
  moveClocks,
  restartDatabase,
  terminateConnections,
} from "../src/ledger/faults.ts";
import { type Environment, prepareEnvironment } from "../src/ledger/fixture.ts";
import { type Plan, runRound } from "../src/ledger/run-round.ts";

const opened = openBench({ quick: true, durable: false });
let environment: Environment;
beforeAll(async () => {
  environment = await prepareEnvironment(opened.bench);
});
afterAll(() => opened.close());

const faults = [killWorkers, terminateConnections, moveClocks, restartDatabase, cutNetwork];
let next = 0;
const inTurn: Fault = async (fixture, random) => {
  const fault = faults[next++ % faults.length];
  await fault?.(fixture, random);
};

const plan: Plan = {
  workers: 2,
  behaviours: ["steady", "slow", "slow/ordered", "flaky/ordered"],
  fault: { happen: inTurn, everyMs: [200, 500], times: faults.length },
};

test("loses no delivery during any fault, and other workers take over the leases of a killed worker", async () => {
  const { takeOvers, ...ledger } = await runRound(environment, plan, 3, 7);
  const { deliveries, delivered, pending, exhausted, kept } = ledger;
  expect(takeOvers.length).toBeGreaterThan(0);
  expect(Math.max(...takeOvers)).toBeLessThan(30_000); // The benchmark requires three seconds.
  expect(delivered).toBeGreaterThan(0);
  expect(delivered + pending + exhausted + kept).toBe(deliveries);
}, 240_000); // A dozen seconds, and more while other tests keep the processors busy.

test("a delivery that is neither pending nor finished makes the run void", async () => {
  await withClient(environment.databaseUrl, async (client) => {
    await client.query(`
      INSERT INTO written
      SELECT gen_random_uuid(), subscriptions.id, events.id FROM subscriptions, events LIMIT 1`);
    await expect(balance(client, { published: [], uncertain: [] }, [])).rejects.toThrow('"lost":1');
  });
});
