/**
 * Webhook deliveries per second with the attempt log: Parley's worker, a bare loop of undici, and conditions that may slow
 * the worker down. Names of scenarios on the command line choose some of them.
 */
import { scenarios } from "./deliveries/scenarios.ts";
import { runBench } from "./harness/bench.ts";
import { compareSides } from "./harness/report.ts";
import { withClient } from "./harness/seed.ts";

type Name = keyof typeof scenarios;

await runBench(async (bench, names) => {
  const known = Object.keys(scenarios);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown scenario ${unknown.join(", ")}. Known: ${known.join(", ")}.`);
  const databaseUrl = await bench.startDatabase();
  await withClient(databaseUrl, async (client) => {
    for (const name of names.length > 0 ? names : known) {
      const { heading, rounds, sides } = await scenarios[name as Name]({ bench, databaseUrl, client });
      await compareSides(
        heading,
        { rate: ["deliveries/s", 0], logged: ["until logged", 0], cpu: ["CPU s", 2] },
        sides,
        { rounds: bench.rounds(rounds), warmUps: bench.quick ? 1 : 2 },
      );
      console.log("Every delivery arrived exactly once, and is in the worker's log exactly once.\n");
    }
  });
});
