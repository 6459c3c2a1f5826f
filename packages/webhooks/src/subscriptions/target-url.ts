import { isIP } from "node:net";
import { type AddressPolicy, isBlockedAddress, isLoopback } from "../delivery/blocked-addresses.ts";

/**
 * Why a URL cannot be subscribed, in words that follow the field's name; null when it can.
 * Names are not resolved here: what they resolve to is checked at each connection.
 */
export function refuseTargetUrl(text: string, policy: AddressPolicy): string | null {
  const url = URL.parse(text);
  if (!url || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "must be an absolute URL";
  const address = hostAddress(url.hostname);
  const tryingOut = policy.allowLoopback && address !== null && isLoopback(address);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && tryingOut)) return "must be an https URL";
  // Even empty ones, which the parsed URL does not show.
  if (url.username || url.password || /^[^/]*\/\/[^/?#]*@/.test(text)) return "must not hold credentials";
  if (text.includes("#")) return "must not have a fragment";
  if (address !== null && isBlockedAddress(address, policy)) {
    return "must not point to a private, local or reserved address";
  }
  return null;
}

/** The address that a URL's host is; null for a name. URL parsing has already made decimal and octal forms plain. */
function hostAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return bare;
  return /(^|\.)localhost\.*$/.test(hostname) ? "127.0.0.1" : null;
}
