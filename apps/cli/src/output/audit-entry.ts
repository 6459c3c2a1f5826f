import type { AuditEntry } from "@parley/database";
import { table } from "./table.ts";

export function rowOfEntry(entry: AuditEntry) {
  return {
    time: entry.createdAt,
    event: entry.event,
    organization: entry.organizationId,
    user: entry.userId,
    client: entry.clientId,
    address: entry.address,
    details: textOf(entry.details),
  };
}

/** One line, for entries that come one by one. */
export function describeEntry(entry: AuditEntry): string {
  return table([rowOfEntry(entry)], "").split("\n")[1] ?? "";
}

export function jsonOfEntry(entry: AuditEntry) {
  const { id, event, organizationId, userId, clientId, grantId, address, details, createdAt } = entry;
  const subject = {
    organization_id: organizationId,
    user_id: userId,
    client_id: clientId,
    grant_id: grantId,
  };
  return { id, event, ...subject, address, details, created_at: createdAt };
}

/** `plan=pro name="Rise & Shine"` */
function textOf(details: unknown): string {
  return Object.entries(details ?? {})
    .map(
      ([name, value]) =>
        `${name}=${typeof value === "string" && !/[\s"]/.test(value) ? value : JSON.stringify(value)}`,
    )
    .join(" ");
}
