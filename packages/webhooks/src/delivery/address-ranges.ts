import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that share the first `bits` bits with `start`. */
export interface AddressRange {
  start: Address;
  bits: number;
}

/**
 * Parses an address range.
 *
 * @param text CIDR notation, for example `10.20.0.0/16` or `fd00:1::/32`
 * @throws Error with a description of the problem
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
    throw new Error(`${text} must be written in IPv4 notation, for example 10.20.0.0/16`);
  }
  const first = (family === 4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(text).toString();
  // The operator may mean only one address with 10.20.0.7/16, but it would allow 65,536 addresses.
  if (first !== start.toString())
    throw new Error(`${text} does not begin with its first address. Write ${first}/${bits}`);
  return { start, bits };
}

/** Checks whether an address is in a range. */
export function isWithin(address: Address, { start, bits }: AddressRange): boolean {
  // biome-ignore format: the types of `match` know only pairs of one kind
  if (address instanceof ipaddr.IPv4) return start instanceof ipaddr.IPv4 && address.match(start, bits);
  return start instanceof ipaddr.IPv6 && address.match(start, bits);
}
