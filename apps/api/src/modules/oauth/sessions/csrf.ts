import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../../http/api-error.ts";
import type { OAuthContext } from "../context.ts";
import { constantTimeEqual } from "../secrets.ts";

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

/**
 * Rejects a form that a page of another origin sent, in addition to the check of the CSRF token, RFC 6749 section
 * 10.12. Without `Origin`, as in old browsers, only the token is checked. `Origin: null` is rejected, because with the
 * referrer policy of the pages, browsers send their origin.
 *
 * @throws ApiError 403
 */
export function checkFormOrigin(
  { publicUrl }: Pick<OAuthContext, "publicUrl">,
  { headers: { origin }, host, log }: FastifyRequest,
): void {
  if (origin === undefined || isOwn(origin, publicUrl, host)) return;
  log.warn(
    { origin, expected: publicUrl ?? host },
    "form from another origin rejected; if this origin is the server's, check PUBLIC_URL",
  );
  throw new ApiError(
    403,
    "invalid_request",
    "This form was sent from another website. Nothing was changed. Open the page again and retry.",
  );
}

/**
 * Checks whether an origin is the origin of the server. Without `PUBLIC_URL`, a proxy may terminate TLS, so only hosts
 * are compared.
 */
function isOwn(origin: string, publicUrl: string | undefined, host: string): boolean {
  return publicUrl === undefined ? URL.parse(origin)?.host === host : origin === publicUrl;
}
