import type { Transaction } from "./client.ts";
import type { Prisma } from "./generated/client.ts";

/** What the audit log tells of: each event is one thing that happened to an account, an app or a grant. */
export const auditEvents = [
  "user.signed_in",
  "user.sign_in_failed",
  "user.sign_in_throttled",
  "user.signed_out",
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
  "organization.created",
  "organization.plan_changed",
  "organization.deleted",
] as const;

export type AuditEvent = (typeof auditEvents)[number];

/** One row of the audit log. What is not known, or does not apply, is left out. */
export interface AuditRecord {
  event: AuditEvent;
  organizationId?: string | null | undefined;
  userId?: string | null | undefined;
  clientId?: string | null | undefined;
  grantId?: string | null | undefined;
  /** Network address of whoever did it. */
  address?: string | null | undefined;
  /** Never a password, token, code or secret: the log is read by people, and kept long. */
  details?: Prisma.InputJsonObject;
}

/**
 * Writes one event into the audit log. Give it the transaction of what it tells of, so that neither is there without
 * the other; like every query of Prisma it also fits into the list of `db.$transaction([…])`.
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
