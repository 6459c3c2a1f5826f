import { setTimeout as sleep } from "node:timers/promises";
import { type Database, recordAudit } from "@parley/database";
import type { SecretBox } from "@parley/webhooks";
import type { Pool } from "pg";
import { completeReport, type OpenErasure, type Report } from "./erasure.ts";
import { emailsOfLead, findRecords } from "./find-records.ts";
import { removeAttemptsWithEmail, removeLateAttempts } from "./remove-attempts.ts";
import { removeEventsAboutPerson, removeEventsOfRecords } from "./remove-events.ts";
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
/**
 * Later passes read again what happened in the last minutes before the previous pass. A row has the time of its start, may be written later, and
 * is dropped by the request log after 5 minutes. Results of attempts are written while the worker has its lease.
 */
const overlapMs = 10 * 60_000;
/** Changes of the API take at most 5 seconds. A backup may take hours, and cannot write. */
const longestWaitMs = 10_000;
/** Removed IDs that one statement deletes. */
const idBatch = 10_000;

/**
 * Runs one pass of an erasure: searches everywhere once, and completes the erasure if nothing is found. Each transaction is short and adds
 * what it removed to the report, so the erasure can be continued after a crash at any point.
 *
 * @param signal stops the pass when it is aborted
 * @returns the report if the erasure is completed
 * @throws the reason of the signal
 */
export async function runPass(
  options: ErasureOptions,
  erasureId: string,
  signal: AbortSignal,
): Promise<Report | undefined> {
  const { db } = options;
  const started = await databaseTime(db);
  const taken = await takeErasure(db, erasureId);
  if (!taken) return undefined;
  const { isFollowing, ...person } = taken;
  const erasure = { id: erasureId, ...person, signal };
  if (isFollowing) await waitForTransactions(db, started, signal);
  const { count, foundDeleted } = await search(options, erasure);
  // The first pass after a request may have missed what was being written.
  if (count === 0 && isFollowing) return complete(options, erasureId);
  if (!foundDeleted) {
    await db.query("UPDATE erasures SET searched_until = $2 WHERE id = $1", [erasureId, started]);
  }
  return undefined;
}

/** Searches everywhere. @returns number of found records and removed rows, and whether a record was found that was deleted earlier */
async function search(
  { db, secretBox }: ErasureOptions,
  erasure: OpenErasure,
): Promise<{ count: number; foundDeleted: boolean }> {
  let count = 0;
  for (;;) {
    const found = await findRecords(db, erasure, mostFound);
    const numbers = Object.values(found).map((ids: string[]) => ids.length);
    count += numbers.reduce((sum, number) => sum + number, 0);
    const removed = await removeRecords(db, erasure, found);
    // What is written meanwhile is left to the next pass, so that other erasures do not wait.
    if (removed === 0 || Math.max(...numbers) < mostFound) break;
  }
  const since = await readSince(db, erasure);
  count += await removeEventsOfRecords(db, erasure);
  const events = await removeEventsAboutPerson(db, erasure, since);
  count += events.removed;
  count += await removeLateAttempts(db, erasure);
  count += await removeAttemptsWithEmail(db, erasure, since);
  count += await removeResponses(db, secretBox, erasure, since);
  count += await removeRequests(db, erasure, since);
  return { count, foundDeleted: events.foundDeleted };
}

interface TakenErasure extends Omit<OpenErasure, "id" | "signal"> {
  /** Whether a complete pass began after the latest request. */
  isFollowing: boolean;
}

/**
 * Sets an erasure to running, and stores the emails of its lead, which are lost when the lead is removed.
 *
 * @returns undefined if the erasure is completed or deleted
 */
async function takeErasure(db: Pool, id: string): Promise<TakenErasure | undefined> {
  const { rows } = await db.query<{
    organizationId: string;
    subjectType: string;
    subject: string;
    emails: string[];
    isFollowing: boolean;
  }>(
    `UPDATE erasures SET status = 'running' WHERE id = $1 AND status <> 'completed'
     RETURNING organization_id AS "organizationId", subject_type AS "subjectType", subject, emails,
       old.status = 'running' AND searched_until IS NOT NULL AS "isFollowing"`,
    [id],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { organizationId, subjectType, subject, isFollowing } = row;
  if (subjectType === "email") return { organizationId, externalId: null, emails: [subject], isFollowing };
  const emails = await emailsOfLead(db, organizationId, subject, row.emails);
  await db.query(
    `UPDATE erasures SET emails = ARRAY(SELECT DISTINCT unnest(emails || $2::text[])),
       searched_until = CASE WHEN emails @> $2 THEN searched_until END WHERE id = $1 AND status <> 'completed'`,
    [id, emails],
  );
  return { organizationId, externalId: subject, emails, isFollowing };
}

/** Returns the time from which events and logs are read; null for all. */
async function readSince(db: Pool, { id }: OpenErasure): Promise<Date | null> {
  const { rows } = await db.query<{ searchedUntil: Date | null }>(
    `SELECT searched_until AS "searchedUntil" FROM erasures WHERE id = $1`,
    [id],
  );
  const until = rows[0]?.searchedUntil;
  return until ? new Date(until.getTime() - overlapMs) : null;
}

async function databaseTime(db: Pool): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  return rows[0]?.now ?? new Date();
}

/** Waits for transactions that started before a time, because the pass before did not see their changes. */
async function waitForTransactions(db: Pool, before: Date, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  for (; Date.now() < deadline; await sleep(100, undefined, { signal })) {
    const { rows } = await db.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start < $1
       LIMIT 1`,
      [before],
    );
    if (rows.length === 0) return;
  }
}

/**
 * Replaces the subject with its hash, and records the completion.
 *
 * @returns undefined if the erasure was requested again since the pass began, or another worker has completed it
 */
async function complete({ records, secretBox }: ErasureOptions, id: string): Promise<Report | undefined> {
  return records.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM erasures WHERE id = ${id}::uuid FOR UPDATE`;
    const erasure = await tx.erasure.findUnique({ where: { id, status: "running" } });
    if (!erasure) return undefined;
    const { organizationId, subjectType, subject } = erasure;
    const report = completeReport(erasure.report as Partial<Report>);
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

/** Deletes the stored IDs of completed erasures. */
export async function deleteErasedIds(db: Pool): Promise<void> {
  for (let deleted = idBatch; deleted === idBatch; ) {
    const { rowCount } = await db.query(
      `DELETE FROM erased_ids WHERE (erasure_id, id) IN (
         SELECT erased_ids.erasure_id, erased_ids.id FROM erased_ids JOIN erasures ON erasures.id = erased_ids.erasure_id
         WHERE status = 'completed' LIMIT $1)`,
      [idBatch],
    );
    deleted = rowCount ?? 0;
  }
}
