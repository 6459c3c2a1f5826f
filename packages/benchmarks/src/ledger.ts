/** What becomes of every delivery while workers, database, network, receivers and clocks fail. */
import { runBench } from "./harness/bench.ts";
import { median } from "./harness/statistics.ts";
import { printTable } from "./harness/table.ts";
import {
  anything,
  crashDatabase,
  cutNetwork,
  killWorkers,
  moveClocks,
  restartDatabase,
  type Schedule,
  terminateConnections,
} from "./ledger/faults.ts";
import { type Plan, type RoundResult, runRound } from "./ledger/run-round.ts";
import { prepareStage } from "./ledger/scene.ts";

const calm = ["steady", "steady", "slow"];
const wild = ["steady", "slow", "flaky", "picky", "hanging", "down"];
const longestTakeOverMs = 3_000;

const often: Schedule = { everyMs: [200, 1_500], times: 5 };
const oftener: Schedule = { everyMs: [100, 800], times: 10 };
const rarely: Schedule = { everyMs: [1_000, 4_000], times: 3 };

const plans: Plan[] = [
  { name: "nothing", workers: 2, behaviours: calm },
  { name: "receivers reset, hang, refuse", workers: 2, behaviours: wild },
  { name: "workers killed", workers: 4, behaviours: calm, fault: { happen: killWorkers, ...often } },
  {
    name: "connections terminated",
    workers: 3,
    behaviours: calm,
    fault: { happen: terminateConnections, ...often },
  },
  { name: "network cut", workers: 3, behaviours: calm, fault: { happen: cutNetwork, ...often } },
  { name: "database restarted", workers: 2, behaviours: calm, fault: { happen: restartDatabase, ...rarely } },
  { name: "database crashed", workers: 2, behaviours: calm, fault: { happen: crashDatabase, ...rarely } },
  { name: "clocks moved", workers: 3, behaviours: wild, fault: { happen: moveClocks, ...oftener } },
  { name: "all of these", workers: 4, behaviours: wild, fault: { happen: anything, ...often } },
];

await runBench(async (bench) => {
  const stage = await prepareStage(bench);
  const results = new Map<string, RoundResult>();
  for (const [seed, plan] of plans.entries()) {
    results.set(
      plan.name,
      await (bench.quick ? runRound(stage, once(plan), 5, seed) : runRound(stage, plan, 20, seed)),
    );
  }
  report(results);
  const takeOvers = [...results.values()].flatMap((result) => result.takeOvers);
  if (Math.max(...takeOvers) > longestTakeOverMs) throw new Error("void: a take-over took more than 3 s");
});

/** The same, but it goes on no longer than a first fault takes. */
function once({ fault, ...plan }: Plan): Plan {
  return fault ? { ...plan, fault: { ...fault, times: 1 } } : plan;
}

function report(results: Map<string, RoundResult>): void {
  const columns = [
    "faults",
    "events",
    "deliveries",
    "delivered",
    "due",
    "exhausted",
    "held",
    "lost",
    "duplicates",
  ] as const;
  printTable(
    ["what went wrong", ...columns],
    [...results].map(([name, result]) => [
      name,
      ...columns.map((column) => result[column].toLocaleString("en")),
    ]),
  );
  const takeOvers = [...results.values()].flatMap((result) => result.takeOvers);
  console.log("Every event whose commit was told is there, and every delivery is in exactly one place.");
  console.log(
    `${takeOvers.length} workers were killed that held leases; others had taken these over after ` +
      `${Math.round(median(takeOvers))} ms (${Math.round(Math.min(...takeOvers))}–${Math.round(Math.max(...takeOvers))})`,
  );
}
