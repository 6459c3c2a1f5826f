import type { AuditEntry, Database } from "@parley/database";
import { type AuditFilter, newestEntries } from "./entries.ts";

/** An entry is dated when its transaction begins, so it may appear behind newer ones: this far back is looked again. */
const overlapMs = 15_000;
const all = 100_000;

/** What was recorded, and then what is being recorded, each entry once. It looks again whenever `pause` is over. */
export async function* following(
  db: Database,
  filter: AuditFilter,
  limit: number,
  pause: () => Promise<unknown>,
): AsyncGenerator<AuditEntry> {
  let seen = await newestEntries(db, filter, all); // Also what the limit leaves out is not new.
  yield* seen.slice(-limit);
  for (;;) {
    await pause();
    const known = new Set(seen.map(({ id }) => id));
    const recent = await newestEntries(db, { ...filter, since: lookBack(seen, filter) }, all);
    yield* recent.filter(({ id }) => !known.has(id));
    seen = recent;
  }
}

/** The time of what is oldest to look at again, never before what was asked for. */
function lookBack(seen: AuditEntry[], { since }: AuditFilter): Date | undefined {
  const newest = seen.reduce((latest, { createdAt }) => Math.max(latest, createdAt.getTime()), 0);
  if (newest === 0) return since;
  return new Date(Math.max(newest - overlapMs, since?.getTime() ?? 0));
}
