/** The state of every delivery after faults of workers, database, network, receivers and clocks. */
import { runBench } from "./harness/bench.ts";
import { median, printTable } from "./harness/report.ts";
import {
  type Burden,
  editedGap,
  largestEvents,
  longRedelivery,
  longRedeliveryWithKills,
  twoGreedyOrganizations,
} from "./ledger/burdens.ts";
import {
  anyFault,
  crashDatabase,
  cutNetwork,
  type Fault,
  killWorkers,
  moveClocks,
  restartDatabase,
  silenceNetwork,
  terminateConnections,
} from "./ledger/faults.ts";
import { prepareEnvironment } from "./ledger/fixture.ts";
import { type Plan, type RoundResult, runRound, type Schedule } from "./ledger/run-round.ts";

const reliable = ["steady", "steady", "slow", "steady/ordered", "slow/ordered"];
const unreliable = ["steady", "slow", "flaky", "picky", "hanging", "down", "flaky/ordered", "picky/ordered"];
const longestTakeOverMs = 3_000;

const often: Schedule = { everyMs: [200, 1_500], times: 5 };
const veryOften: Schedule = { everyMs: [100, 800], times: 10 };
const rarely: Schedule = { everyMs: [1_000, 4_000], times: 3 };

/** Longest wait of other organizations while one has a burden; of all while the network is silent. */
const [mostWaitMs, mostSilentMs] = [1_000, 15_000];

const faults: [name: string, workers: number, behaviours: string[], happen?: Fault, schedule?: Schedule][] = [
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

const burdens: [name: string, workers: number, burden: Burden][] = [
  ["events of 250 kB for 200 subscriptions", 2, largestEvents],
  ["two greedy organizations", 2, twoGreedyOrganizations],
  ["a redelivery of 200,000", 2, longRedelivery],
  ["a redelivery of 200,000, workers killed", 3, longRedeliveryWithKills],
  ["the gap of an edited subscription", 2, editedGap],
];

/** Returns the rounds whose name contains one of these words; without words, all. */
function plan(quick: boolean, words: string[]): [name: string, plan: Plan][] {
  const all: [name: string, plan: Plan][] = [
    ...faults.map(([name, workers, behaviours, happen, schedule = often]): [string, Plan] => {
      const fault = happen && { happen, ...schedule, ...(quick && { times: 1 }) };
      return [name, { workers, behaviours, ...(fault && { fault }) }];
    }),
    [
      "network silent",
      {
        workers: 3,
        behaviours: reliable,
        fault: { happen: silenceNetwork, ...rarely, ...(quick && { times: 1 }) },
        longestWaitMs: mostSilentMs,
      },
    ],
    ...burdens.map(([name, workers, burden]): [string, Plan] => [
      name,
      {
        workers,
        behaviours: reliable,
        burden,
        // A worker that is killed is missed for up to three seconds.
        longestWaitMs: burden === longRedeliveryWithKills ? longestTakeOverMs + mostWaitMs : mostWaitMs,
      },
    ]),
  ];
  return all.filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)));
}

await runBench(async (bench, words) => {
  const environment = await prepareEnvironment(bench);
  const results: [name: string, result: RoundResult][] = [];
  for (const [seed, [name, round]] of plan(bench.quick, words).entries()) {
    const result = await runRound(environment, round, bench.quick ? 5 : 20, seed);
    console.log(`${name}: longest wait ${Math.round(result.longestWait)} ms`);
    results.push([name, result]);
  }
  const columns =
    "faults events deliveries delivered pending exhausted kept lost duplicates ordered longestWait memory".split(
      " ",
    );
  printTable(
    ["what went wrong", ...columns],
    results.map(([name, result]) => [
      name,
      ...columns.map((column) =>
        Math.round(Number(result[column as keyof RoundResult])).toLocaleString("en"),
      ),
    ]),
  );
  const takeOvers = results.flatMap(([, result]) => result.takeOvers);
  if (takeOvers.length === 0) return;
  const [fastest, slowest] = [Math.min(...takeOvers), Math.max(...takeOvers)].map(Math.round);
  console.log("Every event with a confirmed commit exists, and every delivery is in exactly one state.");
  console.log("No ordered delivery arrived after a later event of its record.");
  console.log(
    `${takeOvers.length} of the killed workers held leases; other workers took over these leases after ` +
      `${Math.round(median(takeOvers))} ms (${fastest}–${slowest})`,
  );
  if (Math.max(...takeOvers) > longestTakeOverMs) throw new Error("void: a take-over took more than 3 s");
});
