import type { AuditEntry, Database } from "@parley/database";
import { type AuditFilter, newestEntries } from "./entries.ts";

/** An entry has the start time of its transaction, so it may appear after newer ones. Each poll reads this far back. */
const overlapMs = 15_000;
const all = 100_000;

/** Yields the latest entries and then new ones, each once. Polls after each `pause`. */
export async function* following(
  db: Database,
  filter: AuditFilter,
  limit: number,
  pause: () => Promise<unknown>,
): AsyncGenerator<AuditEntry> {
  let seen = await newestEntries(db, filter, all); // Entries beyond the limit are not new either.
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
