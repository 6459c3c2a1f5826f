import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../../http/api-error.ts";
import type { OAuthContext } from "../context.ts";
import { sessionLifetime } from "../lifetimes.ts";
import { isRandomSecret, randomSecret } from "../secrets.ts";
import { checkFormOrigin, isCsrfToken } from "./csrf.ts";
import { endSession, startSession } from "./sessions.ts";
import { checkPassword } from "./sign-in.ts";

/** Form of a page, with the fields that all forms share. */
export type PageForm = FastifyRequest<{ Body: { csrf_token: string; email?: string; password?: string } }>;

/** Returns the browser's session secret. If the browser has none, creates one and sets the cookie. */
export function browserSecret(
  { sessionCookie }: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const known = sessionCookie.read(request);
  if (isRandomSecret(known)) return known;
  const secret = randomSecret();
  sessionCookie.write(reply, secret);
  return secret;
}

/**
 * Returns the browser's session secret after checking the form's origin and CSRF token, RFC 6749 section 10.12.
 *
 * @throws ApiError 400, 403
 */
export function checkedSecret(context: OAuthContext, request: PageForm): string {
  checkFormOrigin(context, request);
  if (request.validationError?.validationContext === "body") {
    throw new ApiError(
      400,
      "invalid_request",
      "The form has a missing or invalid field. Reload the page and try again.",
    );
  }
  const secret = context.sessionCookie.read(request);
  if (secret === undefined || !isCsrfToken(request.body.csrf_token, secret)) {
    const description =
      "The page has expired, for example because you signed out, or your browser blocks cookies. Open the page again.";
    throw new ApiError(400, "invalid_request", description);
  }
  return secret;
}

/**
 * Signs in with the form's email and password and starts a session under a new secret. If they are wrong, sets a cookie so that the
 * next page shows the failure.
 *
 * @throws ApiError 429, 503
 */
export async function signIn(
  context: OAuthContext,
  request: PageForm,
  reply: FastifyReply,
  secret: string,
): Promise<void> {
  const { db, clock, sessionCookie, failureCookie } = context;
  const { email: typed = "", password = "" } = request.body;
  const email = typed.trim().toLowerCase();
  const user = await checkPassword(context, { email, password, address: request.ip });
  if (user === null) {
    failureCookie.write(reply, Buffer.from(typed).toString("base64url"), 60_000);
    return;
  }
  await endSession(db, secret, request.ip);
  const started = await startSession(db, user, { now: new Date(clock()), address: request.ip });
  sessionCookie.write(reply, started, sessionLifetime);
}

/** Ends the browser's session. */
export async function signOut(
  { db, sessionCookie }: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
): Promise<void> {
  await endSession(db, secret, request.ip);
  sessionCookie.clear(reply);
}

/** Returns and clears the email of a failed sign-in. A HEAD request shows nothing to the user, so it clears nothing. */
export function takeFailedEmail(
  { failureCookie }: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const failed = failureCookie.read(request);
  if (failed === undefined) return undefined;
  if (request.method !== "HEAD") failureCookie.clear(reply);
  return Buffer.from(failed, "base64url").toString();
}
