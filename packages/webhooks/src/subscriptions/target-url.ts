import ipaddr from "ipaddr.js";
import { isBlockedAddress, isLoopback } from "../delivery/blocked-addresses.ts";

/**
 * Why a URL cannot be subscribed, in words that follow the field's name; null when it can.
 * Names are not resolved here: what they resolve to is checked at each connection.
 */
export function refuseTargetUrl(text: string, { allowLoopback }: { allowLoopback: boolean }): string | null {
  const url = URL.parse(text);
  if (!url || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "must be an absolute URL";
  const loopback = isLoopbackHost(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback && allowLoopback)) {
    return "must be an https URL";
  }
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return "must not hold credentials";
  if (text.includes("#")) return "must not have a fragment";
  const blocked = "must not point to a private, local or reserved address";
  if (loopback) return allowLoopback ? null : blocked;
  const address = hostAddress(url.hostname);
  return address && isBlockedAddress(address, { allowLoopback }) ? blocked : null;
}

function isLoopbackHost(hostname: string): boolean {
  const address = hostAddress(hostname);
  return address ? isLoopback(address) : /(^|\.)localhost\.?$/i.test(hostname);
}

/** The address that a URL's host is; null for a name. URL parsing has already made decimal and octal forms plain. */
function hostAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? bare : null;
}
