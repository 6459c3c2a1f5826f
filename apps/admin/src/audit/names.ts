import type { AuditEntry, Database } from "@parley/database";

/** Names of organizations and emails of users, by ID. */
export type Names = Map<string, string>;

/** Returns the names of the organizations and users in entries, except deleted organizations and users. */
export async function namesIn(db: Database, entries: AuditEntry[]): Promise<Names> {
  const ids = (of: (entry: AuditEntry) => string | null) =>
    [...new Set(entries.map(of))].filter((id) => id !== null);
  const organizations = await db.organization.findMany({
    where: { id: { in: ids(({ organizationId }) => organizationId) } },
  });
  const users = await db.user.findMany({ where: { id: { in: ids(({ userId }) => userId) } } });
  return new Map([
    ...organizations.map(({ id, name }) => [id, name] as const),
    ...users.map(({ id, email }) => [id, email] as const),
  ]);
}
