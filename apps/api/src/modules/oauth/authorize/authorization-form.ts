import { recordAudit } from "@parley/database";
import type { FastifyReply } from "fastify";
import { ApiError } from "../../../http/api-error.ts";
import type { OperationRequest } from "../../../http/handlers.ts";
import { isAvailableTo } from "../clients/client-owner.ts";
import type { OAuthContext } from "../context.ts";
import { divideScopes } from "../scope.ts";
import { checkedSecret, signIn, signOut } from "../sessions/browser-session.ts";
import { findUser, type SignedInUser } from "../sessions/sessions.ts";
import { tooManyRequests } from "../sessions/throttle.ts";
import { issueCode } from "./authorization-code.ts";
import {
  findRequestingClient,
  type RequestingClient,
  readAuthorizationRequest,
} from "./authorization-request.ts";
import { AuthorizationError, redirectWithCode } from "./authorization-response.ts";

type FormRequest = OperationRequest<"submitAuthorization">;

/**
 * Handles a form of the authorization page. Every response is a redirect, so reloading never submits a form again.
 *
 * @throws ApiError, AuthorizationError
 */
export async function submitAuthorizationForm(
  context: OAuthContext,
  request: FormRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const requesting = await findRequestingClient(context.db, request.query);
  const secret = checkedSecret(context, request);
  const { action } = request.body;
  if (action === "sign_in") await signIn(context, request, reply, secret);
  if (action === "sign_out") await signOut(context, request, reply, secret);
  if (action === "sign_in" || action === "sign_out") return reply.redirect(pageAddress(request), 303);

  const user = await findUser(context.db, secret, new Date(context.clock()));
  if (!user) return reply.redirect(pageAddress(request), 303); // The session ended after the page was rendered.
  const { client } = requesting;
  if (!isAvailableTo(client, user)) {
    // Only the user sees this. The client does not learn that the user exists.
    throw new ApiError(403, "invalid_client", `${client.name} is only for users of another organization.`);
  }
  return action === "allow"
    ? allow(context, request, reply, requesting, user)
    : deny(context, request, requesting, user);
}

async function allow(
  context: OAuthContext,
  request: FormRequest,
  reply: FastifyReply,
  requesting: RequestingClient,
  user: SignedInUser,
): Promise<FastifyReply> {
  const authorizationRequest = readAuthorizationRequest(request.query, requesting);
  const { granted } = divideScopes(authorizationRequest.scopes, user);
  if (granted.length === 0)
    throw new AuthorizationError(
      "access_denied",
      "The role of the user does not allow these scopes.",
      requesting,
    );
  await countConsent(context, user.id);
  const code = await issueCode(context, { ...authorizationRequest, scopes: granted }, user, request.ip);
  return redirectWithCode(reply, requesting, code, context.baseUrl());
}

const consentsPerHour = 100;

/** @throws ApiError 429 */
async function countConsent({ consentThrottle }: OAuthContext, userId: string): Promise<void> {
  const wait = await consentThrottle.attempt([{ key: userId, failures: consentsPerHour }]);
  if (wait > 0) throw tooManyRequests("You gave apps access too many times.", wait);
}

async function deny(
  { db }: OAuthContext,
  request: FormRequest,
  requesting: RequestingClient,
  { id: userId, organizationId }: SignedInUser,
): Promise<never> {
  const clientId = requesting.client.id;
  await recordAudit(db, { event: "consent.denied", userId, organizationId, clientId, address: request.ip });
  throw new AuthorizationError("access_denied", "The user denied access.", requesting);
}

/** Returns the path of the page with the same query, without the host that an absolute request target may contain. */
export function pageAddress({ url }: { url: string }): string {
  const query = url.indexOf("?");
  return `/api/oauth/authorize${query < 0 ? "" : url.slice(query)}`;
}
