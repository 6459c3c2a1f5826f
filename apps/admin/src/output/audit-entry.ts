import { table } from "@parley/command-line";
import type { AuditEntry } from "@parley/database";
import type { Names } from "../audit/names.ts";

/** Returns a table row, with organizations and users by name unless they were deleted. */
export function rowOfEntry(entry: AuditEntry, names: Names) {
  const named = (id: string | null) => (id === null ? null : (names.get(id) ?? id));
  return {
    time: entry.createdAt,
    event: entry.event,
    organization: named(entry.organizationId),
    user: named(entry.userId),
    client: entry.clientId,
    grant: entry.grantId,
    address: entry.address,
    details: textOf(entry.details),
  };
}

/** Returns one line of text, for entries printed one by one. */
export function describeEntry(entry: AuditEntry, names: Names): string {
  return table([rowOfEntry(entry, names)], "").split("\n")[1] ?? "";
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

/** Formats details, for example `plan=pro name="Rise & Shine"`. */
function textOf(details: unknown): string {
  return Object.entries(details ?? {})
    .map(
      ([name, value]) =>
        `${name}=${typeof value === "string" && !/[\s"]/.test(value) ? value : JSON.stringify(value)}`,
    )
    .join(" ");
}
