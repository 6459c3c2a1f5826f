import { type AuditRecord, recordAudit } from "../audit.ts";
import type { Transaction } from "../client.ts";

/** Author of a change: a user on a page, or an operator on the command line. */
export interface Actor {
  userId?: string;
  /** Network address. */
  address?: string;
  /** Name of the operator's account on the server. */
  operator?: string;
}

/** Records a change and its author in the audit log. */
export async function recordChange(tx: Transaction, by: Actor, record: AuditRecord): Promise<void> {
  const { userId, address, operator } = by;
  const details = { ...(operator !== undefined && { operator }), ...record.details };
  await recordAudit(tx, { userId, address, ...record, details });
}
