import type { FastifyReply } from "fastify";
import type { OperationRequest } from "../../http/handlers.ts";
import { readAuthorizationRequest } from "./authorization-request.ts";
import { isForUser } from "./client-owner.ts";
import type { OAuthContext } from "./context.ts";
import { csrfToken } from "./csrf.ts";
import { consentPage } from "./pages/consent-page.ts";
import { foreignClientPage } from "./pages/foreign-client-page.ts";
import { sendPage } from "./pages/page.ts";
import { signInPage } from "./pages/sign-in-page.ts";
import { isRandomSecret, randomSecret } from "./secrets.ts";
import { findUser } from "./sessions.ts";

/**
 * Shows whom the browser asks next: to sign in, then to agree.
 *
 * @throws ApiError, AuthorizationError
 */
export async function showAuthorizationPage(
  { db, clock, sessionCookie, failureCookie }: OAuthContext,
  request: OperationRequest<"authorize">,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = await readAuthorizationRequest(db, request.query);
  let secret = sessionCookie.read(request);
  if (!isRandomSecret(secret)) {
    secret = randomSecret();
    sessionCookie.write(reply, secret);
  }
  const user = await findUser(db, secret, new Date(clock()));
  if (user && !isForUser(asked.client, user)) {
    return sendPage(reply, 403, foreignClientPage(asked.client, user, csrfToken(secret)));
  }
  if (user) return sendPage(reply, 200, consentPage(asked, user, csrfToken(secret)));

  const failed = failureCookie.read(request);
  if (failed !== undefined) failureCookie.clear(reply);
  const email = failed === undefined ? undefined : Buffer.from(failed, "base64url").toString();
  return sendPage(reply, 200, signInPage(asked.client.name, csrfToken(secret), email));
}
