import type { AuditEntry } from "@parley/database";
import type { Names } from "../audit/names.ts";
import { table } from "./table.ts";

/** For people: organizations and users by name, as far as they are still there. */
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

/** One line, for entries that come one by one. */
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

/** `plan=pro name="Rise & Shine"` */
function textOf(details: unknown): string {
  return Object.entries(details ?? {})
    .map(
      ([name, value]) =>
        `${name}=${typeof value === "string" && !/[\s"]/.test(value) ? value : JSON.stringify(value)}`,
    )
    .join(" ");
}
