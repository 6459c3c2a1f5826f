import type { FastifyReply } from "fastify";
import type { OperationRequest } from "../../../http/handlers.ts";
import { isForUser, isOperators } from "../clients/client-owner.ts";
import type { OAuthContext } from "../context.ts";
import { consentPage } from "../pages/consent-page.ts";
import { foreignClientPage } from "../pages/foreign-client-page.ts";
import { sendPage } from "../pages/page.ts";
import { signInPage } from "../pages/sign-in-page.ts";
import { browserSecret, takeFailedEmail } from "../sessions/browser-session.ts";
import { csrfToken } from "../sessions/csrf.ts";
import { findUser } from "../sessions/sessions.ts";
import { findAsker, readAuthorizationRequest } from "./authorization-request.ts";

/**
 * Shows whom the browser asks next: to sign in, then to agree. An app that an organization registered itself is told of an
 * error once one of its users is signed in: until then nobody is sent to its addresses, RFC 9700 section 4.11.2.
 *
 * @throws ApiError, AuthorizationError
 */
export async function showAuthorizationPage(
  context: OAuthContext,
  request: OperationRequest<"authorize">,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock } = context;
  const asker = await findAsker(db, request.query);
  const { client } = asker;
  const secret = browserSecret(context, request, reply);
  const user = await findUser(db, secret, new Date(clock()));
  if (user && !isForUser(client, user)) {
    return sendPage(reply, 403, foreignClientPage(client, user, csrfToken(secret)));
  }
  if (user || isOperators(client)) {
    const asked = readAuthorizationRequest(request.query, asker);
    if (user) return sendPage(reply, 200, consentPage(asked, user, csrfToken(secret)));
  }
  const failedEmail = takeFailedEmail(context, request, reply);
  return sendPage(reply, 200, signInPage(`to continue to ${client.name}`, csrfToken(secret), failedEmail));
}
