import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import os from "node:os";
import ipaddr from "ipaddr.js";
import { type Address, type AddressRange, isWithin, parseAddressRange } from "./address-ranges.ts";
import { fairLookup, type Lookup } from "./fair-lookup.ts";

/** Addresses that deliveries may be sent to, in addition to public ones. */
export interface AddressPolicy {
  /** Whether loopback addresses are allowed, for local development. */
  allowLoopback: boolean;
  /** Private, local or reserved ranges that the operator allows. Default: none. */
  allowedRanges?: AddressRange[] | undefined;
}

/** Error of a connection that was blocked because of its address. */
class BlockedAddressError extends Error {
  readonly code = "BLOCKED_ADDRESS";
}

/** IPv6 addresses assigned so far. All others are blocked, including IPv4-compatible addresses. */
const globalUnicast = parseAddressRange("2000::/3");
/** Azure's metadata endpoint for virtual machines. It is in a public range. */
const azureHost = "168.63.129.16";

/**
 * Checks whether deliveries to an address are blocked. Only public unicast addresses are allowed. Private, link-local
 * (including metadata services of clouds), CGNAT, multicast and reserved addresses, IPv4 addresses embedded in IPv6,
 * and the addresses of this machine are blocked.
 */
export function isBlockedAddress(text: string, { allowLoopback, allowedRanges }: AddressPolicy): boolean {
  const address = plainAddress(text);
  if (allowedRanges?.some((range) => isWithin(address, range))) return false;
  if (address.range() === "loopback") return !allowLoopback;
  if (!isPublic(address)) return true;
  return !allowLoopback && isOwn(address);
}

/** Checks whether an address is a loopback address. */
export function isLoopback(address: string): boolean {
  return plainAddress(address).range() === "loopback";
}

/** Parses an address; converts an IPv4-mapped IPv6 address to IPv4. */
function plainAddress(address: string): Address {
  return ipaddr.process(address);
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast" || address.toString() === azureHost) return false;
  return address.kind() === "ipv4" || isWithin(address, globalUnicast);
}

/**
 * Checks whether an address is a public address of this machine. A connection to such an address bypasses firewalls, so
 * every port would be reachable.
 */
function isOwn(address: Address): boolean {
  const text = address.toString();
  return Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => plainAddress(own.address).toString() === text);
}

/**
 * Returns a DNS lookup for outgoing connections that fails if any of the addresses is blocked. It runs for each connection, which
 * prevents DNS rebinding.
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

function refuseAddresses(hostname: string, addresses: LookupAddress[], policy: AddressPolicy): Error | null {
  return addresses.some(({ address }) => isBlockedAddress(address, policy)) ? unresolved(hostname) : null;
}

/** Returns the error of a name that does not exist, also for a name that has a blocked address: no one learns which internal names exist. */
function unresolved(hostname: string): Error {
  const { message, code, syscall } = {
    code: "ENOTFOUND",
    syscall: "getaddrinfo",
    message: "getaddrinfo ENOTFOUND",
  };
  return Object.assign(new Error(`${message} ${hostname}`), { code, syscall, hostname });
}

/** Returns the error for a blocked address that is in a URL. */
export function blockedAddress(host: string): BlockedAddressError {
  return new BlockedAddressError(`${host} is a private, local or reserved address`);
}
