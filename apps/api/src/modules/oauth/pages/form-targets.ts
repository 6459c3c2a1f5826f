/**
 * Where the answer to the consent form may lead, as CSP sources. Chromium applies `form-action` to every redirect that
 * follows a form, also to those that the client's callback makes itself, so the origin of the redirect URI is not
 * enough: any https address will do, and the redirect URI's own scheme (http on loopback, or an app's private one).
 */
export function formTargets(redirectUri: string): string[] {
  return [...new Set(["https:", new URL(redirectUri).protocol])];
}
