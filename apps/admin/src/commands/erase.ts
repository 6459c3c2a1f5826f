import { setTimeout as sleep } from "node:timers/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import { Failure, fields, print, printNote, withExamples } from "@parley/command-line";
import { createPool, type Database, type Erasure } from "@parley/database";
import { AccountNotFoundError } from "@parley/database/accounts";
import {
  completeReport,
  isTaken,
  previewErasure,
  type Report,
  requestErasure,
  type Subject,
} from "@parley/erasure";
import { organizationId } from "../input/ids.ts";
import { withDatabase } from "../with-database.ts";

/** Times in milliseconds. */
const waits = {
  pollEveryMs: 500,
  /** A worker looks for erasures every second. */
  longestUntakenMs: 15_000,
};

export function addEraseCommand(program: Command): void {
  const erase = program
    .command("erase")
    .description("Erases the data of a person in an organization. A worker must be running.")
    .requiredOption("--organization <id>", "organization ID", organizationId)
    .option("--email <email>", "email of the person")
    .addOption(new Option("--external-id <id>", "external ID of the person's lead").conflicts("email"))
    .option("--yes", "confirm the erasure; otherwise only shows what would be erased")
    .option("--no-wait", "do not wait until the erasure is completed")
    .option("--json", "print JSON")
    .action(({ organization, email, externalId, yes, wait, json }) =>
      withDatabase(async (db, by, url) => {
        const subject = toSubject(email, externalId);
        await requireOrganization(db, organization);
        if (!yes) throw new Failure(await describeLoss(url, organization, subject), 2);
        const requested = await db.$transaction((tx) => requestErasure(tx, organization, subject, by));
        const erasure = wait ? await completion(db, requested.id, json !== true) : requested;
        print(json, toJson(erasure), () => fields(toRow(erasure)));
        if (erasure.status === "completed" && isWithoutLead(subject, reportOf(erasure.report))) {
          printNote(noLead);
        }
      }),
    );
  withExamples(erase, [
    "parley-admin erase --organization 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b --email ada@example.com",
    "parley-admin erase --organization 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b --external-id crm-4711 --yes",
  ]);
}

const noLead = "No lead has this external ID. If the lead was deleted, erase with --email.";

function isWithoutLead(subject: Subject, report: Report): boolean {
  return "external_id" in subject && report.leads === 0;
}

function toSubject(email: string | undefined, externalId: string | undefined): Subject {
  if (email) return { email };
  if (externalId) return { external_id: externalId };
  throw new Failure("Give the person: --email or --external-id.", 2);
}

async function requireOrganization(db: Database, id: string): Promise<void> {
  const organization = await db.organization.findUnique({ where: { id, deletionStartedAt: null } });
  if (!organization) throw new AccountNotFoundError("organization", id);
}

async function describeLoss(url: string, organization: string, subject: Subject): Promise<string> {
  const pool = createPool(url, { poolSize: 1 });
  try {
    const report = await previewErasure(pool, organization, subject);
    const counts = Object.entries(report).filter(([kind]) => !countedLater.has(kind));
    const list = counts.map(([kind, count]) => `${count} ${label(kind)}`);
    return (
      `This would permanently erase ${list.join(", ")}, with their deliveries, log entries and stored responses. ` +
      `Add --yes to confirm.${isWithoutLead(subject, report) ? ` ${noLead}` : ""}`
    );
  } finally {
    await pool.end();
  }
}

/** Kinds that the preview does not count. */
const countedLater = new Set<string>([
  "deliveries",
  "delivery_attempts",
  "idempotency_keys",
  "api_requests",
] satisfies (keyof Report)[]);

/**
 * Waits until an erasure is completed.
 *
 * @throws Failure if no worker runs the erasure
 */
export async function completion(
  db: Database,
  id: string,
  showsProgress: boolean,
  { pollEveryMs, longestUntakenMs } = waits,
): Promise<Erasure> {
  let shown = "";
  for (let lastTaken = Date.now(); ; await sleep(pollEveryMs)) {
    const erasure = await db.erasure.findUniqueOrThrow({ where: { id } });
    if (erasure.status === "completed") return erasure;
    if (await isTaken(db, id)) lastTaken = Date.now();
    if (Date.now() - lastTaken > longestUntakenMs) {
      throw new Failure(
        `No worker runs the erasure ${id}. Check that a worker is running and does not run another erasure, and that the workers' ` +
          "logs have no failure of this one. The erasure is stored: a worker runs it as soon as it can.",
      );
    }
    const progress = `${erasure.status}: ${total(erasure)} removed`;
    if (showsProgress && progress !== shown) printNote(progress);
    shown = progress;
  }
}

function total({ report }: Erasure): number {
  return Object.values(reportOf(report)).reduce((sum, count) => sum + count, 0);
}

const reportOf = (report: Erasure["report"]) => completeReport(report as Partial<Report>);
const label = (kind: string) => kind.replaceAll("_", " ");

function toRow({ id, status, createdAt, completedAt, report }: Erasure) {
  const counts = Object.entries(reportOf(report)).map(([kind, count]) => [label(kind), count]);
  return { id, status, requested: createdAt, completed: completedAt, ...Object.fromEntries(counts) };
}

function toJson({ id, status, createdAt, completedAt, report }: Erasure) {
  return { id, status, created_at: createdAt, completed_at: completedAt, report: reportOf(report) };
}
