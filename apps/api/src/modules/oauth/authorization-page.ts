import type { FastifyReply } from "fastify";
import type { OperationRequest } from "../../http/handlers.ts";
import { readAuthorizationRequest } from "./authorization-request.ts";
import { browserSecret, takeFailedEmail } from "./browser-session.ts";
import { isForUser } from "./client-owner.ts";
import type { OAuthContext } from "./context.ts";
import { csrfToken } from "./csrf.ts";
import { consentPage } from "./pages/consent-page.ts";
import { foreignClientPage } from "./pages/foreign-client-page.ts";
import { sendPage } from "./pages/page.ts";
import { signInPage } from "./pages/sign-in-page.ts";
import { findUser } from "./sessions.ts";

/**
 * Shows whom the browser asks next: to sign in, then to agree.
 *
 * @throws ApiError, AuthorizationError
 */
export async function showAuthorizationPage(
  context: OAuthContext,
  request: OperationRequest<"authorize">,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock } = context;
  const asked = await readAuthorizationRequest(db, request.query);
  const secret = browserSecret(context, request, reply);
  const user = await findUser(db, secret, new Date(clock()));
  if (user && !isForUser(asked.client, user)) {
    return sendPage(reply, 403, foreignClientPage(asked.client, user, csrfToken(secret)));
  }
  if (user) return sendPage(reply, 200, consentPage(asked, user, csrfToken(secret)));

  const reason = `to continue to ${asked.client.name}`;
  const failedEmail = takeFailedEmail(context, request, reply);
  return sendPage(reply, 200, signInPage(reason, csrfToken(secret), failedEmail));
}
