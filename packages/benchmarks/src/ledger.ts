/** The state of every delivery after faults of workers, database, network, receivers and clocks. */
import { runBench } from "./harness/bench.ts";
import { median, printTable } from "./harness/report.ts";
import {
  anyFault,
  crashDatabase,
  cutNetwork,
  killWorkers,
  moveClocks,
  restartDatabase,
  type Schedule,
  terminateConnections,
} from "./ledger/faults.ts";
import { prepareEnvironment } from "./ledger/fixture.ts";
import { type Plan, type RoundResult, runRound } from "./ledger/run-round.ts";

const reliable = ["steady", "steady", "slow"];
const unreliable = ["steady", "slow", "flaky", "picky", "hanging", "down"];
const longestTakeOverMs = 3_000;

const often: Schedule = { everyMs: [200, 1_500], times: 5 };
const oftener: Schedule = { everyMs: [100, 800], times: 10 };
const rarely: Schedule = { everyMs: [1_000, 4_000], times: 3 };

const plans: Plan[] = [
  { name: "nothing", workers: 2, behaviours: reliable },
  { name: "receivers reset, hang, refuse", workers: 2, behaviours: unreliable },
  { name: "workers killed", workers: 4, behaviours: reliable, fault: { happen: killWorkers, ...often } },
  {
    name: "connections terminated",
    workers: 3,
    behaviours: reliable,
    fault: { happen: terminateConnections, ...often },
  },
  { name: "network cut", workers: 3, behaviours: reliable, fault: { happen: cutNetwork, ...often } },
  {
    name: "database restarted",
    workers: 2,
    behaviours: reliable,
    fault: { happen: restartDatabase, ...rarely },
  },
  { name: "database crashed", workers: 2, behaviours: reliable, fault: { happen: crashDatabase, ...rarely } },
  { name: "clocks moved", workers: 3, behaviours: unreliable, fault: { happen: moveClocks, ...oftener } },
  { name: "all of these", workers: 4, behaviours: unreliable, fault: { happen: anyFault, ...often } },
];

await runBench(async (bench) => {
  const environment = await prepareEnvironment(bench);
  const results: [name: string, result: RoundResult][] = [];
  for (const [seed, { fault, ...plan }] of plans.entries()) {
    const times = bench.quick ? 1 : (fault?.times ?? 0);
    const scheduled = fault ? { ...plan, fault: { ...fault, times } } : plan;
    results.push([plan.name, await runRound(environment, scheduled, bench.quick ? 5 : 20, seed)]);
  }
  const columns = "faults events deliveries delivered pending exhausted kept lost duplicates".split(" ");
  printTable(
    ["what went wrong", ...columns],
    results.map(([name, result]) => [
      name,
      ...columns.map((column) => result[column as keyof RoundResult].toLocaleString("en")),
    ]),
  );
  const takeOvers = results.flatMap(([, result]) => result.takeOvers);
  const [fastest, slowest] = [Math.min(...takeOvers), Math.max(...takeOvers)].map(Math.round);
  console.log("Every event with a confirmed commit is there, and every delivery is in exactly one state.");
  console.log(
    `${takeOvers.length} workers with leases were killed; others had taken these over after ` +
      `${Math.round(median(takeOvers))} ms (${fastest}–${slowest})`,
  );
  if (Math.max(...takeOvers) > longestTakeOverMs) throw new Error("void: a take-over took more than 3 s");
});
