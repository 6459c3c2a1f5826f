import { afterAll, beforeAll, expect, test } from "vitest";
import { openBench } from "../src/harness/bench.ts";
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
  behaviours: ["steady", "slow"],
  fault: { happen: inTurn, everyMs: [200, 500], times: faults.length },
};

test("loses no delivery to any fault, and other workers take over the leases of a killed one", async () => {
  const { takeOvers, ...ledger } = await runRound(environment, plan, 3, 7);
  const { deliveries, delivered, pending, exhausted, kept, lost } = ledger;
  expect(takeOvers.length).toBeGreaterThan(0);
  expect(Math.max(...takeOvers)).toBeLessThan(30_000); // The benchmark requires three seconds.
  expect(delivered).toBeGreaterThan(0);
  expect(delivered + pending + exhausted + kept).toBe(deliveries);
  expect(lost).toBe(0);
}, 240_000); // A dozen seconds, and more while other tests keep the processors busy.
