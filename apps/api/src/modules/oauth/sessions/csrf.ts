import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The token that a form must carry, RFC 6749 section 10.12, made from the browser's session secret: another site knows neither. It does not
 * reveal the secret, and it changes with it at sign-in and sign-out.
 */
export function csrfToken(sessionSecret: string): string {
  return createHmac("sha256", sessionSecret).update("parley form").digest("base64url");
}

/** Whether a form carries the token of its browser; compared in constant time. */
export function isCsrfToken(token: string, sessionSecret: string): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(csrfToken(sessionSecret))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
