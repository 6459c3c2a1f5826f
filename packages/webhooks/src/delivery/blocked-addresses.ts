import { lookup as dnsLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

export interface AddressPolicy {
  /** Whether 127.0.0.0/8 and ::1 may be reached: for trying things out on one machine. */
  allowLoopback: boolean;
}

/** A connection that was refused because of where it would have led. */
export class BlockedAddressError extends Error {
  readonly code = "BLOCKED_ADDRESS";
}

/**
 * Whether deliveries must not go to an address: everything that is not public unicast, thus private, link-local (with
 * the clouds' metadata services), CGNAT, multicast, reserved, and IPv4 addresses of these kinds written as IPv6.
 */
export function isBlockedAddress(address: string, { allowLoopback }: AddressPolicy): boolean {
  const parsed = plainAddress(address);
  if (parsed.range() === "loopback") return !allowLoopback;
  return parsed.range() !== "unicast";
}

export function isLoopback(address: string): boolean {
  return plainAddress(address).range() === "loopback";
}

/** The IPv4 address inside an IPv4-mapped IPv6 one. */
function plainAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  return ipaddr.process(address);
}

/**
 * Name resolution for outgoing connections that fails for blocked addresses. It runs when the connection is made, so a
 * name that resolved to something harmless earlier gains nothing.
 */
export function guardedLookup(policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const blocked = addresses.find(({ address }) => isBlockedAddress(address, policy));
      if (blocked) return callback(blockedAddress(hostname, blocked.address), "", 0);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? "", first?.family ?? 0);
    });
  };
}

export function blockedAddress(host: string, address: string): BlockedAddressError {
  const where = host === address ? address : `${host} resolves to ${address}`;
  return new BlockedAddressError(`${where}, which is a private, local or reserved address`);
}
