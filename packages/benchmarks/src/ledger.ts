/** The state of every delivery after faults of workers, database, network, receivers and clocks. */
import { runBench } from "./harness/bench.ts";
import { median, printTable } from "./harness/report.ts";
import {
  anyFault,
  crashDatabase,
  cutNetwork,
  type Fault,
  killWorkers,
  moveClocks,
  restartDatabase,
  terminateConnections,
} from "./ledger/faults.ts";
import { prepareEnvironment } from "./ledger/fixture.ts";
import { type RoundResult, runRound, type Schedule } from "./ledger/run-round.ts";

const reliable = ["steady", "steady", "slow", "steady/ordered", "slow/ordered"];
const unreliable = ["steady", "slow", "flaky", "picky", "hanging", "down", "flaky/ordered", "picky/ordered"];
const longestTakeOverMs = 3_000;

const often: Schedule = { everyMs: [200, 1_500], times: 5 };
const veryOften: Schedule = { everyMs: [100, 800], times: 10 };
const rarely: Schedule = { everyMs: [1_000, 4_000], times: 3 };

const plans: [name: string, workers: number, behaviours: string[], happen?: Fault, schedule?: Schedule][] = [
  ["nothing", 2, reliable],
  ["receivers reset, hang, refuse", 2, unreliable],
  ["workers killed", 4, reliable, killWorkers, often],
  ["connections terminated", 3, reliable, terminateConnections, often],
  ["network cut", 3, reliable, cutNetwork, often],
  ["database restarted", 2, reliable, restartDatabase, rarely],
  ["database crashed", 2, reliable, crashDatabase, rarely],
  ["clocks moved", 3, unreliable, moveClocks, veryOften],
  ["all of these", 4, unreliable, anyFault, often],
];

await runBench(async (bench) => {
  const environment = await prepareEnvironment(bench);
  const results: [name: string, result: RoundResult][] = [];
  for (const [seed, [name, workers, behaviours, happen, schedule = often]] of plans.entries()) {
    const fault = happen && { happen, ...schedule, ...(bench.quick && { times: 1 }) };
    const plan = { workers, behaviours, ...(fault && { fault }) };
    results.push([name, await runRound(environment, plan, bench.quick ? 5 : 20, seed)]);
  }
  const columns = "faults events deliveries delivered pending exhausted kept lost duplicates ordered".split(
    " ",
  );
  printTable(
    ["what went wrong", ...columns],
    results.map(([name, result]) => [
      name,
      ...columns.map((column) => result[column as keyof RoundResult].toLocaleString("en")),
    ]),
  );
  const takeOvers = results.flatMap(([, result]) => result.takeOvers);
  const [fastest, slowest] = [Math.min(...takeOvers), Math.max(...takeOvers)].map(Math.round);
  console.log("Every event with a confirmed commit exists, and every delivery is in exactly one state.");
  console.log("No ordered delivery arrived after a later event of its record.");
  console.log(
    `${takeOvers.length} of the killed workers held leases; other workers took over these leases after ` +
      `${Math.round(median(takeOvers))} ms (${fastest}–${slowest})`,
  );
  if (Math.max(...takeOvers) > longestTakeOverMs) throw new Error("void: a take-over took more than 3 s");
});
