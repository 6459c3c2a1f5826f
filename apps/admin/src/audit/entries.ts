import type { AuditEntry, Database, Prisma } from "@parley/database";

export interface AuditFilter {
  organizationId: string | undefined;
  since: Date | undefined;
  /** Events, or groups of events such as `client.*`. */
  events: string[] | undefined;
}

/** Returns the latest entries, newest last. IDs begin with the time, so their index is used. */
export async function newestEntries(db: Database, filter: AuditFilter, limit: number): Promise<AuditEntry[]> {
  const entries = await db.auditEntry.findMany({
    where: conditions(filter),
    orderBy: { id: "desc" },
    take: limit,
  });
  return entries.reverse();
}

function conditions({ organizationId, since, events }: AuditFilter): Prisma.AuditEntryWhereInput {
  return {
    ...(organizationId !== undefined && { organizationId }),
    ...(since !== undefined && { id: { gte: firstIdOf(since) } }),
    ...(events !== undefined && { OR: events.map((event) => ({ event: matching(event) })) }),
  };
}

/** Returns the lowest UUIDv7 of a time, RFC 9562 section 5.7. */
function firstIdOf(time: Date): string {
  const milliseconds = Math.max(time.getTime(), 0).toString(16).padStart(12, "0");
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7000-8000-000000000000`;
}

function matching(event: string) {
  return event.endsWith("*") ? { startsWith: event.slice(0, -1) } : { equals: event };
}
