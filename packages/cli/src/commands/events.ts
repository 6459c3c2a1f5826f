import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import { moment, printEach, withExamples } from "@parley/command-line";
import { followEvents } from "@parley/sdk/testing";
import { connect } from "../connection.ts";
import { eventTypeList } from "../input/event-types.ts";
import { eventLine } from "../output/event-line.ts";
import { reportInterruption } from "../report-interruption.ts";
import { stopSignal } from "../stop-signal.ts";
import { groupOf } from "./groups.ts";
import { chatbotOption, eventTypesOption, feedQuery, serverOption, sinceOption } from "./options.ts";

/** Adds `events tail`. */
export function addEventCommands(program: Command): void {
  const tail = groupOf(program as CommandUnknownOpts, "events")
    .command("tail")
    .description("Prints events as they happen, until you press Ctrl-C.")
    .option(...eventTypesOption, eventTypeList)
    .option(...chatbotOption)
    .option(...sinceOption, moment)
    .option(...serverOption)
    .option("--json", "print each event as one line of JSON")
    .action(async ({ json, ...options }) => {
      const parley = connect(options.server);
      const feed = { ...feedQuery(options), signal: stopSignal(), onInterruption: reportInterruption };
      for await (const { event } of followEvents(parley, feed)) {
        printEach(json, event, eventLine(event));
      }
    });
  withExamples(tail, [
    "parley events tail --since 1h",
    "parley events tail --event-types lead.created --json",
  ]);
}
