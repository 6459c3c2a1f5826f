import { isIPv6 } from "node:net";

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
