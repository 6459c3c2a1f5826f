import type { Transaction } from "./client.ts";
import type { Prisma } from "./generated/client.ts";

/** Events of the audit log. */
export const auditEvents = [
  "user.signed_in",
  "user.sign_in_failed",
  "user.sign_in_throttled",
  "user.signed_out",
  "console_link.created",
  "console_link.opened",
  "consent.granted",
  "consent.denied",
  "token.issued",
  "token.refreshed",
  "token.revoked",
  "token.reused",
  "grant.revoked",
  "client.authentication_throttled",
  "client.created",
  "client.updated",
  "client.secret_rotated",
  "client.secret_removed",
  "client.deleted",
  "user.created",
  "user.password_changed",
  "user.role_changed",
  "user.deleted",
  "webhook.created",
  "webhook.updated",
  "webhook.deleted",
  "webhook.secret_rotated",
  "webhook.resumed",
  "signing_key.rotated",
  "deliveries.redelivered",
  "organization.created",
  "organization.plan_changed",
  "organization.deleted",
  "counts.repaired",
  "database.migrated",
  "erasure.requested",
  "erasure.completed",
] as const;

export type AuditEvent = (typeof auditEvents)[number];

/** Entry of the audit log. Unknown members are left out. */
export interface AuditRecord {
  event: AuditEvent;
  organizationId?: string | null | undefined;
  userId?: string | null | undefined;
  clientId?: string | null | undefined;
  grantId?: string | null | undefined;
  /** Network address of the actor. */
  address?: string | null | undefined;
  /** Must not contain passwords, tokens, codes or secrets. */
  details?: Prisma.InputJsonObject;
}

/**
 * Writes an entry of the audit log. Pass the transaction of the change, so that both commit atomically, or use the returned promise in
 * `db.$transaction([…])`.
 */
export function recordAudit(
  db: Pick<Transaction, "auditEntry">,
  { event, organizationId, userId, clientId, grantId, address, details = {} }: AuditRecord,
): Prisma.PrismaPromise<{ id: string }> {
  const subject = { organizationId, userId, clientId, grantId };
  const given = Object.entries({ ...subject, address }).filter(([, value]) => value !== undefined);
  return db.auditEntry.create({
    data: { event, details, ...Object.fromEntries(given) },
    select: { id: true },
  });
}
