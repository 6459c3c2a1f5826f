import { isIP } from "node:net";
import { type AddressPolicy, isBlockedAddress, isLoopback } from "../delivery/blocked-addresses.ts";

/**
 * Validates a target URL. Returns the problem, to be appended to the field's name, or null. Host names are not resolved here; their
 * addresses are checked for each connection.
 */
export function targetUrlProblem(text: string, policy: AddressPolicy): string | null {
  const url = URL.parse(text);
  if (!url || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return "must be an absolute URL, for example https://example.com/webhooks";
  const address = hostAddress(url.hostname);
  const tryingOut = policy.allowLoopback && address !== null && isLoopback(address);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && tryingOut)) return "must be an https URL";
  // The parsed URL does not show empty credentials.
  if (url.username || url.password || /^[^/]*\/\/[^/?#]*@/.test(text))
    return "must not contain a user name or password";
  if (text.includes("#")) return "must not contain a fragment (#…)";
  if (address !== null && isBlockedAddress(address, policy)) {
    return "must not point to a private, local or reserved address";
  }
  return null;
}

/** Returns the address of a URL's host; null for a name. URL parsing has already normalized decimal and octal forms. */
function hostAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return bare;
  return /(^|\.)localhost\.*$/.test(hostname) ? "127.0.0.1" : null;
}
