import type { Command } from "@commander-js/extra-typings";
import { Failure, print, printLine, table, withExamples } from "@parley/command-line";
import { findWrongCounts, repairCounts, type WrongCount } from "@parley/database";
import { withDatabase } from "../with-database.ts";

export function addCountCommands(program: Command): void {
  const counts = program
    .command("counts")
    .description("Checks the numbers of records, from which lists take their totals.");
  withExamples(counts, ["parley-admin counts verify", "parley-admin counts repair"]);

  const verify = counts
    .command("verify")
    .description("Compares the counts with the tables. Fails if one is wrong. Reads every record.")
    .option("--json", "print JSON")
    .action(({ json }) =>
      withDatabase(async (db) => {
        const wrong = await findWrongCounts(db);
        show(wrong, json, "All counts are right.");
        if (wrong.length > 0)
          throw new Failure(`${wrong.length} counts are wrong. Run: parley-admin counts repair`);
      }),
    );
  withExamples(verify, ["parley-admin counts verify"]);

  const repair = counts
    .command("repair")
    .description("Corrects wrong counts, while the server is running. Reads every record.")
    .option("--json", "print JSON")
    .action(({ json }) =>
      withDatabase(async (db, by) => {
        const corrected = await repairCounts(db, by);
        show(corrected, json, "All counts were right.");
        if (corrected.length > 0 && !json) printLine(`${corrected.length} counts were corrected.`);
      }),
    );
  withExamples(repair, ["parley-admin counts repair"]);
}

function show(wrong: WrongCount[], json: true | undefined, none: string): void {
  const rows = wrong.map(({ organizationId, kind, chatbotId, status, records, count }) => ({
    organization_id: organizationId,
    kind,
    chatbot_id: chatbotId,
    status,
    records,
    count,
  }));
  print(json, rows, () => table(rows, none));
}
