/**
 * Webhook deliveries per second with the attempt log on: Parley's worker against a bare loop of undici, and under what may
 * make it slower. The names of scenarios on the command line choose some of them.
 */
import type { Figures } from "./deliveries/measure.ts";
import { type Scenario, type Stage, scenarios } from "./deliveries/scenarios.ts";
import { runBench } from "./harness/bench.ts";
import { withSpread } from "./harness/statistics.ts";
import { printTable } from "./harness/table.ts";
import { withClient } from "./harness/with-client.ts";

await runBench(async (bench, words) => {
  const names = words.length > 0 ? words.map(known) : (Object.keys(scenarios) as Name[]);
  const databaseUrl = await bench.startDatabase();
  await withClient(databaseUrl, async (client) => {
    const stage: Stage = { bench, databaseUrl, client };
    for (const name of names) {
      const scenario = await scenarios[name](stage);
      report(scenario, await measure(scenario, bench.quick));
    }
  });
});

type Name = keyof typeof scenarios;

function known(word: string): Name {
  if (word in scenarios) return word as Name;
  throw new Error(`There is no scenario ${word}: ${Object.keys(scenarios).join(", ")}.`);
}

/** The figures of both sides, round for round. */
async function measure({ sides, rounds }: Scenario, quick: boolean): Promise<[Figures, Figures][]> {
  const measured: [Figures, Figures][] = [];
  const warmUps = quick ? 1 : 2;
  for (let round = 0; round < (quick ? 2 : rounds) + warmUps; round += 1) {
    const figures: [Figures, Figures] = [await sides[0].measure(), await sides[1].measure()];
    if (round >= warmUps) measured.push(figures);
  }
  return measured;
}

function report({ words, sides }: Scenario, rounds: [Figures, Figures][]): void {
  printTable(
    [words, "deliveries/s", "CPU s"],
    sides.map((side, i) => {
      const figures = rounds.map((round) => round[i] as Figures);
      return [
        side.words,
        withSpread(
          figures.map(({ rate }) => rate),
          0,
        ),
        withSpread(figures.map(({ cpu }) => cpu)),
      ];
    }),
  );
  const ratio = (of: (figures: Figures) => number) =>
    withSpread(rounds.map(([one, other]) => of(one) / of(other)));
  console.log(`ratio of deliveries/s, the first to the second: ${ratio(({ rate }) => rate)}`);
  console.log(
    `  until the first is logged: ${ratio(({ rate, logged }) => logged ?? rate)}; of CPU: ${ratio(({ cpu }) => cpu)}`,
  );
  console.log("Every delivery arrived exactly once, and is in the worker's log exactly once.\n");
}
