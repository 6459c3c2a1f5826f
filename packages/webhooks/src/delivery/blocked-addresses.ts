import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import os from "node:os";
import ipaddr from "ipaddr.js";
import { type Address, type AddressRange, isWithin, parseAddressRange } from "./address-ranges.ts";
import { fairLookup, type Lookup } from "./fair-lookup.ts";

export interface AddressPolicy {
  /** Whether this machine may be reached: for trying things out on one machine. */
  allowLoopback: boolean;
  /** What the operator allows, be it private, local or reserved; nothing unless given. */
  allowedRanges?: AddressRange[] | undefined;
}

/** A connection that was refused because of where it would have led. */
class BlockedAddressError extends Error {
  readonly code = "BLOCKED_ADDRESS";
}

/** All that is given out in IPv6 so far; the rest is refused, IPv4-compatible addresses among it. */
const globalUnicast = parseAddressRange("2000::/3");
/** Looks public, and answers virtual machines of Azure with what concerns them alone. */
const azureHost = "168.63.129.16";

/**
 * Whether deliveries must not go to an address: everything that is not public unicast, thus private, link-local (with
 * the clouds' metadata services), CGNAT, multicast, reserved, and IPv4 addresses inside of IPv6 ones; and this machine.
 */
export function isBlockedAddress(text: string, { allowLoopback, allowedRanges }: AddressPolicy): boolean {
  const address = plainAddress(text);
  if (allowedRanges?.some((range) => isWithin(address, range))) return false;
  if (address.range() === "loopback") return !allowLoopback;
  if (!isPublic(address)) return true;
  return !allowLoopback && isOwn(address);
}

export function isLoopback(address: string): boolean {
  return plainAddress(address).range() === "loopback";
}

/** The IPv4 address inside an IPv4-mapped IPv6 one. */
function plainAddress(address: string): Address {
  return ipaddr.process(address);
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast" || address.toString() === azureHost) return false;
  return address.kind() === "ipv4" || isWithin(address, globalUnicast);
}

/** A connection to one's own public address passes no firewall: every port of this machine would be open to it. */
function isOwn(address: Address): boolean {
  const text = address.toString();
  return Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => plainAddress(own.address).toString() === text);
}

/**
 * Name resolution for outgoing connections that fails for blocked addresses. It runs when the connection is made, so a
 * name that resolved to something harmless earlier gains nothing; of several addresses none may be blocked.
 */
export function guardedLookup(policy: AddressPolicy, lookup?: Lookup): LookupFunction {
  const resolve = fairLookup(lookup);
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, addresses) => {
      const refusal = error ?? refuseAddresses(hostname, addresses, policy);
      if (refusal) return callback(refusal, "", 0);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? "", first?.family ?? 0);
    });
  };
}

function refuseAddresses(
  hostname: string,
  addresses: LookupAddress[],
  policy: AddressPolicy,
): BlockedAddressError | null {
  return addresses.some(({ address }) => isBlockedAddress(address, policy)) ? blockedAddress(hostname) : null;
}

/** It does not tell the address: whoever reads the log would learn what names mean inside the operator's network. */
export function blockedAddress(host: string): BlockedAddressError {
  return new BlockedAddressError(`${host} leads to a private, local or reserved address`);
}
