import { type AuditRecord, recordAudit, recordAudits } from "../audit.ts";
import type { Transaction } from "../client.ts";

/** Who makes a change: a user on a page, or an operator on the command line. */
export interface Actor {
  userId?: string;
  /** Network address. */
  address?: string;
  /** Name of the operator's account on the server. */
  operator?: string;
}

/** Writes a change and who made it into the audit log. */
export async function recordChange(tx: Transaction, by: Actor, record: AuditRecord): Promise<void> {
  await recordAudit(tx, madeBy(by, record));
}

/** Writes several changes, in this order, and who made them into the audit log. */
export async function recordChanges(tx: Transaction, by: Actor, records: AuditRecord[]): Promise<void> {
  await recordAudits(
    tx,
    records.map((record) => madeBy(by, record)),
  );
}

function madeBy({ userId, address, operator }: Actor, record: AuditRecord): AuditRecord {
  const details = { ...(operator !== undefined && { operator }), ...record.details };
  return { userId, address, ...record, details };
}
