import type { FastifyReply } from "fastify";
import type { OperationRequest } from "../../../http/handlers.ts";
import { isAvailableTo, isRegisteredByOperator } from "../clients/client-owner.ts";
import type { OAuthContext } from "../context.ts";
import { consentPage, foreignClientPage } from "../pages/consent-page.ts";
import { sendPage } from "../pages/page.ts";
import { signInPage } from "../pages/sign-in-page.ts";
import { browserSecret, takeFailedEmail } from "../sessions/browser-session.ts";
import { csrfToken } from "../sessions/csrf.ts";
import { findUser } from "../sessions/sessions.ts";
import { findRequestingClient, readAuthorizationRequest } from "./authorization-request.ts";

/**
 * Renders the sign-in page or, for a signed-in user, the consent page. Errors of a client that an organization
 * registered are redirected only if a user of this organization is signed in. Other browsers are never redirected to
 * the organization's addresses (RFC 9700 section 4.11.2). Consent always requires the user (RFC 8252 section 8.6).
 *
 * @throws ApiError, AuthorizationError
 */
export async function showAuthorizationPage(
  context: OAuthContext,
  request: OperationRequest<"authorize">,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock } = context;
  const requesting = await findRequestingClient(db, request.query);
  const { client } = requesting;
  const secret = browserSecret(context, request, reply);
  const user = await findUser(db, secret, new Date(clock()));
  if (user && !isAvailableTo(client, user)) {
    return sendPage(reply, 403, foreignClientPage(client, user, csrfToken(secret)));
  }
  if (user || isRegisteredByOperator(client)) {
    const authorizationRequest = readAuthorizationRequest(request.query, requesting);
    if (user) return sendPage(reply, 200, consentPage(authorizationRequest, user, csrfToken(secret)));
  }
  const failedEmail = takeFailedEmail(context, request, reply);
  return sendPage(reply, 200, signInPage(`to continue to ${client.name}`, csrfToken(secret), failedEmail));
}
