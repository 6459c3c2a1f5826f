import { isIPv6 } from "node:net";
import type { Database } from "@parley/database";

/** Returns the network of one subscriber: the IPv4 address, or the /64 prefix of the IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill("0");
  return `${[...groups, ...zeros, ...after].slice(0, 4).join(":").toLowerCase()}::/64`;
}

/** Checks in the audit log whether the account with this email was signed in to from the network before. */
export async function isKnownNetwork(db: Database, email: string, network: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ known: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM users JOIN audit_log ON audit_log.user_id = users.id
      WHERE users.email = ${email} AND event = 'user.signed_in' AND details ->> 'network' = ${network}
    ) AS known`;
  return row?.known ?? false;
}
