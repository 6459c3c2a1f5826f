/** A simulated day of chatbots through the platform's door: every subscription receives what it should, once. */
import { eventTypes } from "@parley/contract";
import { reportDay } from "./day/report.ts";
import { runDay } from "./day/run-day.ts";
import { runBench } from "./harness/bench.ts";

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const conversations = bench.quick ? 500 : 10_000;
  const report = await runDay({
    databaseUrl,
    start: (module) => bench.start(module),
    seed: 1,
    conversations,
  });
  reportDay(report);
  const { types } = report.subscriptions.all;
  const untested = eventTypes.filter((type) => !types.get(type)?.expected);
  if (untested.length > 0) throw new Error(`the day had no ${untested.join(", ")}`);
  if (report.problems.length > 0)
    throw new Error(`${report.problems.length} things are not as they should be`);
  console.log("Every event arrived once, and nothing else.");
});
