import { afterAll, beforeAll, expect, test } from "vitest";
import { openBench } from "../src/harness/bench.ts";
import {
  cutNetwork,
  inTurn,
  killWorkers,
  moveClocks,
  restartDatabase,
  terminateConnections,
} from "../src/ledger/faults.ts";
import { type Plan, runRound } from "../src/ledger/run-round.ts";
import { prepareStage, type Stage } from "../src/ledger/scene.ts";

const opened = openBench({ quick: true, durable: false });
let stage: Stage;
beforeAll(async () => {
  stage = await prepareStage(opened.bench);
});
afterAll(() => opened.close());

const plan: Plan = {
  name: "one fault after the other",
  workers: 2,
  behaviours: ["steady", "slow"],
  fault: {
    happen: inTurn(killWorkers, terminateConnections, moveClocks, restartDatabase, cutNetwork),
    everyMs: [200, 500],
    times: 5,
  },
};

test("nothing is lost, whatever fails, and others take over what a killed worker had leased", async () => {
  const { takeOvers, ...ledger } = await runRound(stage, plan, 3, 7);
  const { deliveries, delivered, due, exhausted, held, lost } = ledger;
  expect(takeOvers.length).toBeGreaterThan(0);
  expect(Math.max(...takeOvers)).toBeLessThan(30_000); // The benchmark holds it to three seconds.
  expect(delivered).toBeGreaterThan(0);
  expect(delivered + due + exhausted + held).toBe(deliveries);
  expect(lost).toBe(0);
}, 240_000); // A dozen seconds, and more where tests beside it keep the processors busy.
