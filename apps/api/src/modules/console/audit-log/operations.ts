import type { Operations } from "../../../http/handlers.ts";
import type { ConsoleContext } from "../context.ts";
import { pageSize, startOfPage } from "../layout/cursor.ts";
import { notAdminPage } from "../layout/error-pages.ts";
import { renderForUser } from "../page-requests.ts";
import { auditLogPage } from "./list-page.ts";

/** Returns the operation of the audit log. */
export function auditLogOperations(context: ConsoleContext): Operations<"showAuditLog"> {
  const { db } = context;
  return {
    showAuditLog: (request, reply) =>
      renderForUser(context, request, reply, async (session) => {
        const { organizationId, isAdmin } = session.user;
        if (!isAdmin) return notAdminPage(session, "see the audit log");
        const { query } = request;
        const after = startOfPage(query);
        // IDs are UUIDv7, so their order is that of the times.
        const rows = await db.auditEntry.findMany({
          where: {
            organizationId,
            ...(query.event !== undefined && { event: query.event }),
            ...(after && { id: { lt: after.id } }),
          },
          orderBy: { id: "desc" },
          take: pageSize + 1,
        });
        const entries = rows.slice(0, pageSize);
        const [users, clients] = await Promise.all([
          db.user.findMany({
            where: { organizationId, id: { in: entries.flatMap(({ userId }) => userId ?? []) } },
            select: { id: true, name: true, email: true },
          }),
          db.oAuthClient.findMany({
            where: { id: { in: entries.flatMap(({ clientId }) => clientId ?? []) } },
            select: { id: true, name: true },
          }),
        ]);
        const last = entries.at(-1);
        return auditLogPage(session, query, {
          entries,
          next: rows.length > pageSize && last ? { time: last.createdAt.toISOString(), id: last.id } : null,
          users: new Map(users.map((user) => [user.id, user])),
          clientNames: new Map(clients.map(({ id, name }) => [id, name])),
        });
      }),
  };
}
