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

/** What the pages share: sign-in as on the authorization page, and flash messages. */
export interface PagesContext extends OAuthContext {
  flashMessages: FlashMessages;
}

/** Whoever is signed in, in one browser. */
export interface Visitor {
  user: SignedInUser;
  sessionSecret: string;
  csrfToken: string;
  /** Network address. */
  address: string;
}

/** A page, and the status that it is sent with where that is not 200. */
export type Answer = Page & { status?: number };

/**
 * Shows a page, with its flash message, to the signed-in user. Everybody else is asked to sign in first, at
 * the same address.
 *
 * @param reason why to sign in, as the end of a sentence
 */
export async function showToVisitor(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { address, reason }: { address: string; reason: string },
  page: (visitor: Visitor, message: FlashMessage) => Answer | Promise<Answer>,
): Promise<FastifyReply> {
  const secret = browserSecret(context, request, reply);
  const visitor = await findVisitor(context, request, secret);
  if (!visitor) {
    const failedEmail = takeFailedEmail(context, request, reply);
    return sendPage(reply, 200, signInPage(reason, csrfToken(secret), failedEmail));
  }
  // HEAD shows nothing, so it takes nothing.
  const message = request.method === "GET" ? await context.flashMessages.take(secret, address) : undefined;
  const answer = await page(visitor, message ?? {});
  return sendPage(reply, answer.status ?? 200, answer);
}

type Form<Action extends string> = FastifyRequest<{
  Body: PageForm["body"] & { action: Action | "sign_in" | "sign_out" };
}>;

/** Result of a form: the address of the next page, and its flash message. */
export interface Outcome extends FlashMessage {
  goTo: string;
}

/**
 * Takes a form. Every answer is a redirect, so that reloading a page never sends a form again.
 *
 * @param here the page itself: where one lands after signing in or out
 * @throws ApiError
 */
export async function takeForm<Action extends string>(
  context: PagesContext,
  request: Form<Action>,
  reply: FastifyReply,
  here: string,
  act: (visitor: Visitor, action: Action) => Promise<Outcome>,
): Promise<FastifyReply> {
  const secret = checkedSecret(context, request);
  const { action } = request.body;
  if (action === "sign_in") await signIn(context, request, reply, secret);
  else if (action === "sign_out") await signOut(context, request, reply, secret);
  else {
    const visitor = await findVisitor(context, request, secret);
    // Where the session ended meanwhile, the page asks to sign in.
    if (visitor) {
      const { goTo, ...message } = await act(visitor, action as Action);
      await context.flashMessages.add(secret, goTo, message);
      return reply.redirect(goTo, 303);
    }
  }
  return reply.redirect(here, 303);
}

async function findVisitor(
  { db, clock }: PagesContext,
  request: FastifyRequest,
  sessionSecret: string,
): Promise<Visitor | undefined> {
  const user = await findUser(db, sessionSecret, new Date(clock()));
  return user ? { user, sessionSecret, csrfToken: csrfToken(sessionSecret), address: request.ip } : undefined;
}
