import type { AuditEntry, Database, Prisma } from "@parley/database";

export interface AuditFilter {
  organizationId: string | undefined;
  since: Date | undefined;
  /** Events, or kinds of them: `client.*`. */
  events: string[] | undefined;
}

/** The newest entries, the last of them last. */
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
    ...(since !== undefined && { createdAt: { gte: since } }),
    ...(events !== undefined && { OR: events.map((event) => ({ event: matching(event) })) }),
  };
}

function matching(event: string) {
  return event.endsWith("*") ? { startsWith: event.slice(0, -1) } : { equals: event };
}
