import type { Problem } from "./account-error.ts";

const maxLength = 2_048;
const maxCount = 20;

/** Loopback redirect URI of a native app, with groups that exclude the port, RFC 8252 section 7.3. */
export const loopback =
  /^(?<host>http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?<rest>(?:[/?].*)?)$/;

/** Private-use URI scheme: a reversed domain name, RFC 8252 section 7.1. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/;

/** Parameters of the authorization response, RFC 6749 section 4.1.2 and RFC 9207. A redirect URI must not contain them. */
const responseParameters = ["code", "state", "iss", "error", "error_description", "error_uri"];

/** Validates the redirect URIs of a client. Returns the problem, if any. */
export function checkRedirectUris(uris: string[]): Problem | undefined {
  const message = problemOfAll(uris);
  return message === undefined ? undefined : { field: "redirectUri", message };
}

function problemOfAll(uris: string[]): string | undefined {
  if (uris.length === 0) return "At least one redirect URI is required.";
  if (uris.length > maxCount) return `A client can have at most ${maxCount} redirect URIs.`;
  for (const uri of uris) {
    const problem = describeProblem(uri);
    if (problem !== undefined) return `The redirect URI ${shortened(uri)} ${problem}.`;
  }
  return undefined;
}

/** Checks the rules for a single URI: RFC 6749 section 3.1.2, RFC 8252 section 7 and RFC 9700 section 2.1. */
function describeProblem(uri: string): string | undefined {
  if (uri.length > maxLength) return `must have at most ${maxLength} characters`;
  if (!/^[\x21-\x7E]+$/.test(uri) || /["<>\\^`{|}]/.test(uri)) {
    return "contains characters that must be percent-encoded";
  }
  if (uri.includes("#")) return "must not contain a fragment (#…)";
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(uri)?.[0];
  if (scheme === undefined) return "must be absolute, for example https://app.example.com/callback";
  if (scheme !== scheme.toLowerCase()) return `must begin with ${scheme.toLowerCase()} in lower case`;
  const url = URL.parse(uri);
  if (url === null) return "is not a valid address";
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?]*@/.test(uri)) {
    return "must not contain a user name or password";
  }
  const taken = responseParameters.find((name) => url.searchParams.has(name));
  if (taken !== undefined)
    return `must not contain the parameter ${taken}, which Parley adds to the response`;
  if (scheme === "https:" || scheme === "http:") return problemOfWebAddress(uri, url);
  if (!privateScheme.test(uri)) {
    return "must begin with https://, or for an app on a device, with a scheme like com.example.app:/";
  }
  return normalizationProblem(uri, url);
}

/** Rejects URIs that browsers would normalize, because the app would then send back a different URI. */
function normalizationProblem(uri: string, { href }: URL): string | undefined {
  const withPath = uri.replace(/^https?:\/\/[^/?]+(?=\?|$)/, "$&/"); // A missing root path is allowed.
  return withPath === href ? undefined : `must be written in normalized form: ${shortened(href)}`;
}

function problemOfWebAddress(uri: string, url: URL): string | undefined {
  const { host, port, protocol } = url;
  if (!/^https?:\/\/[^/]/.test(uri)) return "is not a valid address"; // Browsers would correct it, so it would never match.
  if (host.includes("*")) return "must not contain a wildcard. Register each URI";
  if (protocol === "http:" && !loopback.test(uri)) {
    return "must use https. http is only for apps on the user's device: 127.0.0.1, [::1] or localhost";
  }
  if (port === "0") return "must not have port 0";
  return normalizationProblem(uri, url);
}

function shortened(uri: string): string {
  return uri.length > 100 ? `${uri.slice(0, 100)}…` : uri;
}
