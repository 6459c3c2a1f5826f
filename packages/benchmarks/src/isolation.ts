/** How long healthy subscriptions wait for their deliveries while others hang, are down or have 100,000 due. */
import { runBench } from "./harness/bench.ts";
import { withSpread } from "./harness/statistics.ts";
import { withClient } from "./harness/with-client.ts";
import type { BadOnes } from "./isolation/bad-ones.ts";
import { backlog, measureAlone, measureAmongBadOnes } from "./isolation/measure.ts";
import { prepare } from "./isolation/setting.ts";
import { printWaits } from "./latency/print-waits.ts";
import type { Waits } from "./latency/publish-and-wait.ts";

interface Round {
  alone: Waits;
  among: Waits & BadOnes;
}

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const seconds = bench.quick ? 3 : 5;
  const rounds = await withClient(databaseUrl, async (client) => {
    const setting = await prepare(bench, databaseUrl, client);
    const measure = async (): Promise<Round> => ({
      alone: await measureAlone(setting, seconds),
      among: await measureAmongBadOnes(setting, seconds),
    });
    await measure();
    const measured: Round[] = [];
    while (measured.length < (bench.quick ? 2 : 8)) measured.push(await measure());
    return measured;
  });
  report(rounds);
});

function report(rounds: Round[]): void {
  const column = (figure: (round: Round) => number, digits = 1) => withSpread(rounds.map(figure), digits);
  printWaits({
    "the healthy ones alone": rounds.map(({ alone }) => alone),
    "among the bad ones": rounds.map(({ among }) => among),
  });
  const bad = (figure: keyof BadOnes) => column(({ among }) => among[figure], 0);
  console.log(
    `meanwhile, of the backlog of ${backlog.toLocaleString("en")} ${bad("backlogSent")} were sent, ` +
      `${bad("hung")} attempts hung, ${bad("refused")} were refused`,
  );
  console.log(
    `ratio of p99, among the bad ones to alone: ${column(({ alone, among }) => among.p99 / alone.p99, 2)}`,
  );
}
