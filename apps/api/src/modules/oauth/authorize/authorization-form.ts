import { recordAudit } from "@parley/database";
import type { FastifyReply } from "fastify";
import type { OperationRequest } from "../../../http/handlers.ts";
import { foreignClient, isForUser } from "../clients/client-owner.ts";
import type { OAuthContext } from "../context.ts";
import { checkedSecret, signIn, signOut } from "../sessions/browser-session.ts";
import { findUser } from "../sessions/sessions.ts";
import { tooManyRequests } from "../sessions/throttle.ts";
import { issueCode } from "./authorization-code.ts";
import { AuthorizationError } from "./authorization-error.ts";
import { type Asker, findAsker, readAuthorizationRequest } from "./authorization-request.ts";
import { redirectWithCode } from "./authorization-response.ts";

type FormRequest = OperationRequest<"submitAuthorization">;

/**
 * What a button of the page means. Every answer is a redirect, so that reloading a page never sends a form again.
 *
 * @throws ApiError, AuthorizationError
 */
export async function submitAuthorizationForm(
  context: OAuthContext,
  request: FormRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asker = await findAsker(context.db, request.query);
  const secret = checkedSecret(context, request);
  switch (request.body.action) {
    case "sign_in":
      await signIn(context, request, reply, secret);
      return showPageAgain(request, reply);
    case "sign_out":
      await signOut(context, request, reply, secret);
      return showPageAgain(request, reply);
    case "deny":
      return deny(context, request, reply, secret, asker);
    case "allow":
      return allow(context, request, reply, secret, asker);
  }
}

async function allow(
  context: OAuthContext,
  request: FormRequest,
  reply: FastifyReply,
  secret: string,
  asker: Asker,
): Promise<FastifyReply> {
  const user = await findUser(context.db, secret, new Date(context.clock()));
  if (!user) return showPageAgain(request, reply); // the session ended meanwhile
  if (!isForUser(asker.client, user)) throw foreignClient(asker.client);
  const asked = readAuthorizationRequest(request.query, asker);
  await countConsent(context, user.id);
  const code = await issueCode(context, asked, user, request.ip);
  return redirectWithCode(reply, asked, code, context.baseUrl());
}

const consentsPerHour = 100;

/** @throws ApiError 429 */
async function countConsent({ consentThrottle }: OAuthContext, userId: string): Promise<void> {
  const wait = await consentThrottle.attempt([{ key: userId, failures: consentsPerHour }]);
  if (wait > 0) throw tooManyRequests("You allowed apps access too often.", wait);
}

async function deny(
  { db, clock }: OAuthContext,
  request: FormRequest,
  reply: FastifyReply,
  secret: string,
  asker: Asker,
): Promise<FastifyReply> {
  const user = await findUser(db, secret, new Date(clock()));
  if (!user) return showPageAgain(request, reply); // as above: nobody is there who could refuse
  const { client } = asker;
  if (!isForUser(client, user)) throw foreignClient(client);
  const { id: userId, organizationId } = user;
  const subject = { userId, organizationId, clientId: client.id, address: request.ip };
  await recordAudit(db, { event: "consent.denied", ...subject });
  throw new AuthorizationError("access_denied", "The user refused.", asker);
}

function showPageAgain(request: FormRequest, reply: FastifyReply): FastifyReply {
  return reply.redirect(pageAddress(request), 303);
}

/** The page with the same authorization request, on this host whatever the request line said. */
export function pageAddress({ url }: { url: string }): string {
  const query = url.indexOf("?");
  return `/api/oauth/authorize${query < 0 ? "" : url.slice(query)}`;
}
