import { loopback } from "@parley/database/accounts";

/**
 * Checks whether a redirect URI equals a registered one exactly, RFC 9700 section 2.1. Only the port of a loopback address may
 * differ: a native app listens on any free port, RFC 8252 section 7.3.
 */
export function isRegistered(redirectUri: string, registered: string[]): boolean {
  return (
    isUsable(redirectUri) && registered.some((uri) => uri === redirectUri || isSameLoopback(uri, redirectUri))
  );
}

function isSameLoopback(registered: string, requested: string): boolean {
  const [a, b] = [loopback.exec(registered)?.groups, loopback.exec(requested)?.groups];
  return a !== undefined && b !== undefined && a["host"] === b["host"] && a["rest"] === b["rest"];
}

/** Checks that a URI is absolute, has no fragment (RFC 6749 section 3.1.2), and fits a `Location` header. */
function isUsable(uri: string): boolean {
  return /^[\x21-\x7E]+$/.test(uri) && !uri.includes("#") && URL.canParse(uri);
}

/** Adds parameters and keeps the query of the redirect URI, RFC 6749 section 3.1.2. */
export function withParameters(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return redirectUri + separator + new URLSearchParams(given);
}

/** Describes the destination of a redirect for the consent page. */
export function describeTarget(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  if (loopback.test(redirectUri)) return `an app on this device (${host})`;
  return host === "" ? `an app on this device (${protocol})` : host;
}
