import { afterAll, beforeAll, expect, test } from "vitest";
import { openBench } from "../src/harness/bench.ts";
import { anything, killWorkers } from "../src/ledger/faults.ts";
import { runRound } from "../src/ledger/run-round.ts";
import { prepareStage, type Stage } from "../src/ledger/scene.ts";

const opened = openBench({ quick: true, durable: false });
let stage: Stage;
beforeAll(async () => {
  stage = await prepareStage(opened.bench);
});
afterAll(() => opened.close());

test("the leases of killed workers are taken over within three seconds, and every delivery arrives", async () => {
  const plan = { name: "workers killed", workers: 3, behaviours: ["steady", "slow"] };
  const fault = { happen: killWorkers, everyMs: [200, 600] as [number, number] };
  const { takeOvers, deliveries, delivered, lost } = await runRound(stage, { ...plan, fault }, 3, 7);
  expect(takeOvers.length).toBeGreaterThan(0);
  expect(Math.max(...takeOvers)).toBeLessThan(3_000);
  expect(deliveries).toBeGreaterThan(0);
  expect({ delivered, lost }).toEqual({ delivered: deliveries, lost: 0 });
});

test("whatever fails, the ledger balances: nothing is lost", async () => {
  const plan = { name: "anything", workers: 2, behaviours: ["slow", "flaky", "picky"] };
  const fault = { happen: anything, everyMs: [200, 600] as [number, number] };
  const { deliveries, delivered, due, exhausted, held, lost } = await runRound(
    stage,
    { ...plan, fault },
    4,
    11,
  );
  expect(delivered).toBeGreaterThan(0);
  expect(delivered + due + exhausted + held).toBe(deliveries);
  expect(lost).toBe(0);
});
