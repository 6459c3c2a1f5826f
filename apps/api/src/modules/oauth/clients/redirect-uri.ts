import { loopback } from "@parley/database/accounts";

/**
 * Whether a redirect URI is one of the registered ones, character by character (RFC 9700 section 2.1).
 * Only the port of a loopback address is free: a native app listens where there is room.
 */
export function isRegistered(redirectUri: string, registered: string[]): boolean {
  return (
    isUsable(redirectUri) && registered.some((uri) => uri === redirectUri || isSameLoopback(uri, redirectUri))
  );
}

function isSameLoopback(registered: string, asked: string): boolean {
  const [a, b] = [loopback.exec(registered)?.groups, loopback.exec(asked)?.groups];
  return a !== undefined && b !== undefined && a["host"] === b["host"] && a["rest"] === b["rest"];
}

/** Absolute, without fragment (RFC 6749 section 3.1.2), and fit for a `Location` header. */
function isUsable(uri: string): boolean {
  return /^[\x21-\x7E]+$/.test(uri) && !uri.includes("#") && URL.canParse(uri);
}

/** Adds parameters and leaves the query that the URI has as it is, RFC 6749 section 4.1.2. */
export function withParameters(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return redirectUri + separator + new URLSearchParams(given);
}

/** Where the user will be sent, in words. */
export function describeTarget(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  if (loopback.test(redirectUri)) return `an app on this device (${host})`;
  return host === "" ? `an app on this device (${protocol})` : host;
}
