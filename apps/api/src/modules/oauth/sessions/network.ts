import type { Database } from "@parley/database";
import ipaddr from "ipaddr.js";

/** Returns the network of an address: the IPv4 address itself, or the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}

/** Returns the /48 prefix of an IPv6 address, which one site usually has; undefined for other addresses. */
export function siteOf(address: string): string | undefined {
  const network = networkOf(address);
  return network.endsWith("::/64") ? `${network.split(":", 3).join(":")}::/48` : undefined;
}

/** Returns the organization of the user with this email, if the audit log says that the user has signed in from the network before. */
export async function organizationOnKnownNetwork(
  db: Database,
  email: string,
  network: string,
): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ organizationId: string }[]>`
    SELECT users.organization_id AS "organizationId" FROM users
    WHERE email = ${email} AND EXISTS (
      SELECT FROM audit_log
      WHERE audit_log.user_id = users.id AND event = 'user.signed_in' AND details ->> 'network' = ${network})`;
  return row?.organizationId;
}
