import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The addresses whose first `bits` bits are those of `start`. */
export interface AddressRange {
  start: Address;
  bits: number;
}

/**
 * @param text in CIDR notation, for example `10.20.0.0/16` or `fd00:1::/32`
 * @throws Error that says what is wrong with it
 */
export function parseAddressRange(text: string): AddressRange {
  const [address = "", length = "", ...rest] = text.split("/");
  const family = address.includes("%") ? 0 : isIP(address);
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (family === 0 || rest.length > 0 || !(bits <= (family === 4 ? 32 : 128))) {
    throw new Error(`${text} is not an address range like 10.20.0.0/16 or fd00:1::/32`);
  }
  const start = ipaddr.parse(address);
  if (start instanceof ipaddr.IPv6 && start.isIPv4MappedAddress()) {
    throw new Error(`${text}: IPv4 addresses are to be written as such`);
  }
  const first = (family === 4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(text).toString();
  // Whoever writes 10.20.0.7/16 may mean one address, and would open 65,536.
  if (first !== start.toString()) throw new Error(`${text} does not start at ${first}`);
  return { start, bits };
}

export function isWithin(address: Address, { start, bits }: AddressRange): boolean {
  // biome-ignore format: the types of `match` know only pairs of one kind
  if (address instanceof ipaddr.IPv4) return start instanceof ipaddr.IPv4 && address.match(start, bits);
  return start instanceof ipaddr.IPv6 && address.match(start, bits);
}
