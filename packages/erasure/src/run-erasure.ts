import { setTimeout as sleep } from "node:timers/promises";
import { type Database, recordAudit } from "@parley/database";
import type { SecretBox } from "@parley/webhooks";
import type { Pool } from "pg";
import { completeReport, type OpenErasure, type Report } from "./erasure.ts";
import { emailsOfLead, findRecords } from "./find-records.ts";
import { removeAttemptsWithEmail, removeLateAttempts } from "./remove-attempts.ts";
import { removeEventsOfRecords, removeEventsWithEmail } from "./remove-events.ts";
import { removeRecords } from "./remove-records.ts";
import { removeRequests } from "./remove-requests.ts";
import { removeResponses } from "./remove-responses.ts";

export interface ErasureOptions {
  db: Pool;
  /** For the audit log. */
  records: Database;
  secretBox: Pick<SecretBox, "decrypt" | "fingerprint">;
}

/** Records of each kind that one search returns. */
const mostFound = 500;
/** Later passes read again what was written in the last minute before the previous pass, because its time is that of its start. */
const overlapMs = 60_000;
/** API processes write the request log every half second. */
const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Changes of the API take at most 5 seconds. A backup may take hours, and cannot write. */
const longestWaitMs = 10_000;

/**
 * Runs an erasure in passes until a pass finds nothing. Each transaction is short and adds what it removed to the report, so the erasure
 * can be continued after a crash at any point.
 *
 * @param isStopping checked after each pass
 * @returns the report; undefined if the worker stops before the erasure is completed
 */
export async function runErasure(
  options: ErasureOptions,
  erasureId: string,
  isStopping: () => boolean,
): Promise<Report | undefined> {
  const { db } = options;
  let since: Date | null = null;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const erasure = await readErasure(db, erasureId);
    const started = await databaseTime(db);
    const removed = await runPass(options, erasure, since);
    // The first pass may have missed what was being written.
    if (removed === 0 && since !== null) return complete(options, erasureId);
    since = new Date(started.getTime() - overlapMs);
    await waitForTransactions(db, await databaseTime(db));
    if (isStopping()) return undefined;
    await sleep(pauseMs);
  }
}

/** Searches everywhere once. @returns number of removed rows */
async function runPass(
  { db, secretBox }: ErasureOptions,
  erasure: OpenErasure,
  since: Date | null,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const found = await findRecords(db, erasure, mostFound);
    const count = await removeRecords(db, erasure, found);
    removed += count;
    if (count === 0) break;
  }
  removed += await removeEventsOfRecords(db, erasure);
  removed += await removeEventsWithEmail(db, erasure, since);
  removed += await removeLateAttempts(db, erasure);
  removed += await removeAttemptsWithEmail(db, erasure, since);
  removed += await removeResponses(db, secretBox, erasure, since);
  removed += await removeRequests(db, erasure, since);
  return removed;
}

interface ErasureRow {
  organizationId: string;
  subjectType: string;
  subject: string;
  emails: string[];
}

/** Reads an erasure and stores the emails of its lead, which are lost when the lead is removed. */
async function readErasure(db: Pool, id: string): Promise<OpenErasure> {
  const { rows } = await db.query<ErasureRow>(
    `UPDATE erasures SET status = 'running' WHERE id = $1
     RETURNING organization_id AS "organizationId", subject_type AS "subjectType", subject, emails`,
    [id],
  );
  const [row] = rows;
  if (!row) throw new Error("the erasure was deleted");
  const { organizationId, subjectType, subject } = row;
  if (subjectType === "email") return { id, organizationId, externalId: null, emails: [subject] };
  const emails = await emailsOfLead(db, organizationId, subject, row.emails);
  await db.query(
    "UPDATE erasures SET emails = ARRAY(SELECT DISTINCT unnest(emails || $2::text[])) WHERE id = $1",
    [id, emails],
  );
  return { id, organizationId, externalId: subject, emails };
}

async function databaseTime(db: Pool): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  return rows[0]?.now ?? new Date();
}

/** Waits for transactions that started before a time, because the pass before did not see their changes. */
async function waitForTransactions(db: Pool, before: Date): Promise<void> {
  for (const deadline = Date.now() + longestWaitMs; Date.now() < deadline; await sleep(100)) {
    const { rows } = await db.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start < $1
       LIMIT 1`,
      [before],
    );
    if (rows.length === 0) return;
  }
}

/** Replaces the subject with its hash, and records the completion. */
async function complete(
  { records, secretBox }: Pick<ErasureOptions, "records" | "secretBox">,
  id: string,
): Promise<Report> {
  return records.$transaction(async (tx) => {
    const erasure = await tx.erasure.findUniqueOrThrow({ where: { id } });
    const { organizationId, subjectType, subject } = erasure;
    const report = completeReport(erasure.report as Partial<Report>);
    await tx.erasedId.deleteMany({ where: { erasureId: id } });
    await tx.erasure.update({
      where: { id },
      data: {
        status: "completed",
        completedAt: new Date(),
        subject: null,
        subjectHash: secretBox.fingerprint(`${subjectType}\n${subject}`, organizationId),
        emails: [],
      },
    });
    await recordAudit(tx, {
      event: "erasure.completed",
      organizationId,
      details: { erasure_id: id, report },
    });
    return report;
  });
}
