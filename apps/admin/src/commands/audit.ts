import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { moment, print, printEach, table, withExamples } from "@parley/command-line";
import { type AuditFilter, newestEntries } from "../audit/entries.ts";
import { following } from "../audit/following.ts";
import { namesIn } from "../audit/names.ts";
import { eventsOrGroups } from "../input/audit-event.ts";
import { organizationId } from "../input/ids.ts";
import { describeEntry, jsonOfEntry, rowOfEntry } from "../output/audit-entry.ts";
import { withDatabase } from "../with-database.ts";

const everyMs = 1_000;

export function addAuditCommand(program: Command): void {
  const audit = program
    .command("audit")
    .description(
      "Shows the audit log: sign-ins, consents, tokens, account changes. The newest entry is last.",
    )
    .option("--organization <id>", "only entries of one organization", organizationId)
    .option(
      "--since <time>",
      "only entries since a time (2026-03-01, 2026-03-01T09:00:00Z) or a duration ago (24h)",
      moment,
    )
    .option("--event <event>", "only this event or group of events (client.*); repeatable", eventsOrGroups)
    .option("--limit <count>", "show at most this many of the newest entries", count, 100)
    .option("--follow", "wait for new entries; stop with Ctrl-C")
    .option("--json", "print JSON; with --follow, one document per line")
    .action(({ organization, since, event: events, limit, follow, json }) =>
      withDatabase(async (db) => {
        const filter: AuditFilter = { organizationId: organization, since, events };
        if (!follow) {
          const entries = await newestEntries(db, filter, limit);
          const names = await namesIn(db, entries);
          print(json, entries.map(jsonOfEntry), () =>
            table(
              entries.map((entry) => rowOfEntry(entry, names)),
              "No entries.",
            ),
          );
          return;
        }
        for await (const entry of following(db, filter, limit, () => sleep(everyMs))) {
          printEach(json, jsonOfEntry(entry), json ? "" : describeEntry(entry, await namesIn(db, [entry])));
        }
      }),
    );
  withExamples(audit, [
    "parley-admin audit --since 24h",
    "parley-admin audit --event 'client.*' --event token.reused --json",
    "parley-admin audit --organization 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b --follow",
  ]);
}

function count(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("Must be an integer from 1 to 99999.");
}
