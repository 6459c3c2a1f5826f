import type { FastifyReply, FastifyRequest } from "fastify";
import type { OAuthContext } from "../oauth/context.ts";
import { type Page, sendPage } from "../oauth/pages/page.ts";
import { signInPage } from "../oauth/pages/sign-in-page.ts";
import {
  browserSecret,
  checkedSecret,
  type PageForm,
  signIn,
  signOut,
  takeFailedEmail,
} from "../oauth/sessions/browser-session.ts";
import { csrfToken } from "../oauth/sessions/csrf.ts";
import { findUser, type SignedInUser } from "../oauth/sessions/sessions.ts";
import type { FlashMessage, FlashMessages } from "./flash-messages.ts";

/**
 * Dependencies that the pages share: the dependencies of the authorization server, for signing in, and flash messages.
 */
export interface PagesContext extends OAuthContext {
  flashMessages: FlashMessages;
}

/** Session of a signed-in user in one browser. */
export interface AccountSession {
  user: SignedInUser;
  sessionSecret: string;
  csrfToken: string;
  /** Network address of the browser. */
  address: string;
}

/** Page with its status; default 200. */
export type PageResponse = Page & { status?: number };

/**
 * Renders a page with its flash message for the signed-in user. If no user is signed in, renders the sign-in page at
 * the same address.
 *
 * @param reason end of the sentence "Sign in …", for example `to manage your apps`
 */
export async function renderForUser(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { address, reason }: { address: string; reason: string },
  page: (session: AccountSession, message: FlashMessage) => PageResponse | Promise<PageResponse>,
): Promise<FastifyReply> {
  const secret = browserSecret(context, request, reply);
  const session = await findAccountSession(context, request, secret);
  if (!session) {
    const failedEmail = takeFailedEmail(context, request, reply);
    return sendPage(reply, 200, signInPage(reason, csrfToken(secret), failedEmail));
  }
  // A HEAD request shows nothing to the user, so it must not remove the message.
  const message = request.method === "GET" ? await context.flashMessages.take(secret, address) : undefined;
  const response = await page(session, message ?? {});
  return sendPage(reply, response.status ?? 200, response);
}

type Form<Action extends string> = FastifyRequest<{
  Body: PageForm["body"] & { action: Action | "sign_in" | "sign_out" };
}>;

/** Result of a form: the address to redirect to, and the flash message of that page. */
export interface FormResult extends FlashMessage {
  redirectTo: string;
}

/**
 * Handles a form. Every response is a redirect, so that reloading a page never submits a form again.
 *
 * @param here address of the page itself, to redirect to after signing in or out
 * @throws ApiError
 */
export async function handleForm<Action extends string>(
  context: PagesContext,
  request: Form<Action>,
  reply: FastifyReply,
  here: string,
  act: (session: AccountSession, action: Action) => Promise<FormResult>,
): Promise<FastifyReply> {
  const secret = checkedSecret(context, request);
  const { action } = request.body;
  if (action === "sign_in") await signIn(context, request, reply, secret);
  else if (action === "sign_out") await signOut(context, request, reply, secret);
  else {
    const session = await findAccountSession(context, request, secret);
    // If the session ended after the page was rendered, the redirect leads to the sign-in page.
    if (session) {
      const { redirectTo, ...message } = await act(session, action as Action);
      await context.flashMessages.add(secret, redirectTo, message);
      return reply.redirect(redirectTo, 303);
    }
  }
  return reply.redirect(here, 303);
}

async function findAccountSession(
  { db, clock }: PagesContext,
  request: FastifyRequest,
  sessionSecret: string,
): Promise<AccountSession | undefined> {
  const user = await findUser(db, sessionSecret, new Date(clock()));
  return user ? { user, sessionSecret, csrfToken: csrfToken(sessionSecret), address: request.ip } : undefined;
}
