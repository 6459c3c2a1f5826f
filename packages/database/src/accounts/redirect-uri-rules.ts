import type { Problem } from "./account-error.ts";

const maxLength = 2_048;
const maxCount = 20;

/** An http URI of a native app on the user's own machine; the port is apart, RFC 8252 section 7.3. */
export const loopback =
  /^(?<host>http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?<rest>(?:[/?].*)?)$/;

/** The name of a domain backwards, as RFC 8252 section 7.1 asks, so that no two apps choose the same. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/;

/** What the server adds to the answer, RFC 6749 section 4.1.2 and RFC 9207: a second one would confuse the app. */
const ours = ["code", "state", "iss", "error", "error_description", "error_uri"];

/** What is wrong with the redirect URIs that a client is to have. */
export function checkRedirectUris(uris: string[]): Problem | undefined {
  const words = problemOfAll(uris);
  return words === undefined ? undefined : { field: "redirectUri", words };
}

function problemOfAll(uris: string[]): string | undefined {
  if (uris.length === 0) return "At least one redirect URI is needed.";
  if (uris.length > maxCount) return `A client has ${maxCount} redirect URIs at most.`;
  for (const uri of uris) {
    const problem = describeProblem(uri);
    if (problem !== undefined) return `The redirect URI ${shortened(uri)} ${problem}.`;
  }
  return undefined;
}

/** RFC 6749 section 3.1.2, RFC 8252 section 7 and RFC 9700 section 2.1, as far as they can be told of a URI alone. */
function describeProblem(uri: string): string | undefined {
  if (uri.length > maxLength) return `is longer than ${maxLength} characters`;
  if (!/^[\x21-\x7E]+$/.test(uri) || /["<>\\^`{|}]/.test(uri)) {
    return "holds characters that must be percent-encoded";
  }
  if (uri.includes("#")) return "must not have a fragment (#…)";
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(uri)?.[0];
  if (scheme === undefined) return "must be absolute, for example https://app.example.com/callback";
  if (scheme !== scheme.toLowerCase()) return `must begin with ${scheme.toLowerCase()} in lower case`;
  const url = URL.parse(uri);
  if (url === null) return "is not a valid address";
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?]*@/.test(uri)) {
    return "must not hold a user name or password";
  }
  const taken = ours.find((name) => url.searchParams.has(name));
  if (taken !== undefined) return `must not hold the parameter ${taken}, which the answer carries`;
  if (scheme === "https:" || scheme === "http:") return problemOfWebAddress(uri, url);
  if (!privateScheme.test(uri)) {
    return "must begin with https://, or for an app on a device with a scheme like com.example.app:/";
  }
  return problemOfSpelling(uri, url);
}

/** What browsers would spell in another way is not what the app's own framework sees and sends back. */
function problemOfSpelling(uri: string, { href }: URL): string | undefined {
  const withPath = uri.replace(/^https?:\/\/[^/?]+(?=\?|$)/, "$&/"); // The one that all agree on.
  return withPath === href ? undefined : `must be spelled ${shortened(href)}, as browsers do`;
}

function problemOfWebAddress(uri: string, url: URL): string | undefined {
  const { host, port, protocol } = url;
  if (!/^https?:\/\/[^/]/.test(uri)) return "is not a valid address"; // Browsers would mend it, so it would never match.
  if (host.includes("*")) return "must name its host: there are no wildcards, list each address";
  if (protocol === "http:" && !loopback.test(uri)) {
    return "must use https; http is for apps on the user's own device: 127.0.0.1, [::1] or localhost";
  }
  if (port === "0") return "must not name port 0, at which nothing listens";
  return problemOfSpelling(uri, url);
}

function shortened(uri: string): string {
  return uri.length > 100 ? `${uri.slice(0, 100)}…` : uri;
}
