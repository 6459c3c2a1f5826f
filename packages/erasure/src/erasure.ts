/** Person whose data is erased: by email, or by the external ID of a lead. */
export type Subject = { email: string } | { external_id: string };

/** What an erasure removes, in the order of the report. */
export const reportKinds = [
  "leads",
  "conversations",
  "messages",
  "message_feedback",
  "tickets",
  "meetings",
  "tool_runs",
  "events",
  "deliveries",
  "delivery_attempts",
  "idempotency_keys",
  "api_requests",
] as const;

/** Numbers of removed rows by kind. */
export type Report = Record<(typeof reportKinds)[number], number>;

/** Returns a report with zero for the kinds that are not given. */
export function completeReport(counts: Partial<Report>): Report {
  return Object.fromEntries(reportKinds.map((kind) => [kind, counts[kind] ?? 0])) as Report;
}

/** Erasure that is not completed. */
export interface OpenErasure {
  id: string;
  organizationId: string;
  /** External ID of the person's lead; null if the erasure is by email. */
  externalId: string | null;
  /** Emails to search for, in lower case. */
  emails: string[];
  /** Aborted when the worker stops or loses the lock of the erasure. */
  signal: AbortSignal;
}
