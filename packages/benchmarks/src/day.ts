/** A simulated day of chatbots through the Platform API. Every subscription must receive each expected event once. */
import { eventTypes } from "@parley/contract";
import { bookingBot } from "./day/conversation.ts";
import type { Count } from "./day/events.ts";
import { type DayReport, runDay } from "./day/run-day.ts";
import { runBench } from "./harness/bench.ts";
import { printTable } from "./harness/report.ts";

await runBench(async (bench) => {
  const report = await runDay({
    databaseUrl: await bench.startDatabase(),
    start: (module) => bench.start(module),
    seed: 1,
    conversations: bench.quick ? 500 : 10_000,
  });
  print(report);
  const { types } = report.subscriptions.all;
  const untested = eventTypes.filter((type) => !types.get(type)?.expected);
  if (untested.length > 0) throw new Error(`the day had no ${untested.join(", ")}`);
  if (report.problems.length > 0) throw new Error(`${report.problems.length} differences`);
  console.log("Every event arrived once, and no unexpected event arrived.");
});

function print({ subscriptions, problems, tally, costs }: DayReport): void {
  const { all, filtered, others } = subscriptions;
  const columns = ["expected", "received", "duplicates", "missing", "unexpected"] as const;
  const row = (name: string, counts: (Count | undefined)[]) => [
    name,
    ...columns.map((column) => number(counts.reduce((sum, count) => sum + (count?.[column] ?? 0), 0))),
  ];
  printTable(
    ["all event types", ...columns],
    [
      ...eventTypes.map((type) => row(type, [all.types.get(type)])),
      row("together", [...all.types.values()]),
      row(`the subscription to ${bookingBot}`, [...filtered.types.values()]),
      row("the other organization's", [...others.types.values()]),
    ],
  );
  const { requests, items, failed } = tally;
  const { writingSeconds, seconds, deliveries, deliverySeconds, cpu } = costs;
  const used = Object.entries(cpu).map(([name, spent]) => `${name} ${number(spent)}`);
  console.log(`
${number(requests)} requests wrote ${number(items)} items, ${number(failed)} of them refused as intended
in ${number(writingSeconds)} s, ${number(items / writingSeconds)} items/s
${number(deliveries)} deliveries had arrived after ${number(seconds)} s, ${number(deliveries / deliverySeconds)} deliveries/s
CPU s, without PostgreSQL's: ${used.join(", ")}`);
  for (const problem of problems.slice(0, 40)) console.error(problem);
  if (problems.length > 40) console.error(`and ${number(problems.length - 40)} more`);
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}
