import type { AuditEntry, Database } from "@parley/database";
import { type AuditFilter, newestEntries } from "./entries.ts";

/**
 * Time before the latest entry that each poll reads again, in ms. An entry has the start time of its transaction, so it
 * may appear after newer entries.
 */
const overlapMs = 15_000;
const all = 100_000;

/** Yields the latest entries and then new entries, each once. Polls again after each `pause`. */
export async function* following(
  db: Database,
  filter: AuditFilter,
  limit: number,
  pause: () => Promise<unknown>,
): AsyncGenerator<AuditEntry> {
  let seen = await newestEntries(db, filter, all); // Older entries that exceed the limit must not be shown as new entries.
  yield* seen.slice(-limit);
  for (;;) {
    await pause();
    const known = new Set(seen.map(({ id }) => id));
    const recent = await newestEntries(db, { ...filter, since: startOfPoll(seen, filter) }, all);
    yield* recent.filter(({ id }) => !known.has(id));
    seen = recent;
  }
}

/** Returns the start of the next poll, not before `since`. */
function startOfPoll(seen: AuditEntry[], { since }: AuditFilter): Date | undefined {
  const newest = seen.reduce((latest, { createdAt }) => Math.max(latest, createdAt.getTime()), 0);
  if (newest === 0) return since;
  return new Date(Math.max(newest - overlapMs, since?.getTime() ?? 0));
}
