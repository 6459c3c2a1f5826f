import { createHmac } from "node:crypto";
import { constantTimeEqual } from "../constant-time.ts";

/**
 * Derives the CSRF token of forms from the browser's session secret, RFC 6749 section 10.12. The token does not reveal the secret, and
 * changes with it at sign-in and sign-out.
 */
export function csrfToken(sessionSecret: string): string {
  return createHmac("sha256", sessionSecret).update("parley form").digest("base64url");
}

/** Compares a form's CSRF token with that of its browser session in constant time. */
export function isCsrfToken(token: string, sessionSecret: string): boolean {
  return constantTimeEqual(token, csrfToken(sessionSecret));
}
