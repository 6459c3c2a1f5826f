import type { ChangeOptions } from "@parley/database";
import type { Actor } from "@parley/database/accounts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../http/api-error.ts";
import type { AuthoredChange } from "../../http/make-change.ts";
import { pathOf } from "../../http/path-of.ts";
import { isFiltered } from "../../http/search-limit.ts";
import { type Page, sendPage } from "../oauth/pages/page.ts";
import { signInPage } from "../oauth/pages/sign-in-page.ts";
import {
  browserSecret,
  checkedSecret,
  type PageForm,
  takeFailedEmail,
} from "../oauth/sessions/browser-session.ts";
import { csrfToken } from "../oauth/sessions/csrf.ts";
import { sessionAddress } from "./addresses.ts";
import type { ConsoleContext } from "./context.ts";
import type { FlashMessage } from "./flash-messages.ts";
import { type ConsoleUser, findConsoleUser } from "./session/console-user.ts";

/** Session of a signed-in person in one browser. */
export interface ConsoleSession {
  user: ConsoleUser;
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
 * @throws ApiError 400 if the query is invalid, 503 if the server is overloaded
 */
export async function renderForUser(
  context: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: (session: ConsoleSession, message: FlashMessage) => PageResponse | Promise<PageResponse>,
): Promise<FastifyReply> {
  const secret = browserSecret(context, request, reply);
  const session = await findConsoleSession(context, request, secret);
  if (!session) {
    const failedEmail = takeFailedEmail(context, request, reply);
    const note = "If you opened the console from your platform before, open it there again.";
    const form = { action: sessionAddress, returnTo: request.url, note };
    return sendPage(reply, 200, signInPage("to open the console", csrfToken(secret), failedEmail, form));
  }
  context.admitRequest(request, reply, session.user.organizationId);
  if (request.validationError) throw request.validationError;
  // A HEAD request shows nothing to the user, so it must not remove the message.
  const isShown = request.method === "GET";
  const message = isShown ? await context.flashMessages.take(secret, pathOf(request)) : undefined;
  const render = () => page(session, message ?? {});
  const { organizationId } = session.user;
  const response = isFiltered(request) ? await context.searches.run(organizationId, render) : await render();
  return sendPage(reply, response.status ?? 200, response);
}

/** Result of a form: the address to redirect to, and the flash message of that page. */
export interface FormResult extends FlashMessage {
  redirectTo: string;
}

/**
 * Handles a form. Every response is a redirect, so that reloading a page never submits a form again. If the session ended after the
 * page was rendered, the redirect leads to the sign-in page.
 *
 * @throws ApiError
 */
export async function handleForm(
  context: ConsoleContext,
  request: PageForm,
  reply: FastifyReply,
  act: (session: ConsoleSession) => Promise<FormResult>,
): Promise<FastifyReply> {
  const secret = checkedSecret(context, request);
  const session = await findConsoleSession(context, request, secret);
  if (!session) return reply.redirect(pathOf(request), 303);
  context.admitRequest(request, reply, session.user.organizationId);
  const { redirectTo, ...message } = await act(session);
  await context.flashMessages.add(secret, pathOf({ url: redirectTo }), message);
  return reply.redirect(redirectTo, 303);
}

/**
 * Requires that the person's role allows a change.
 *
 * @throws ApiError 403
 */
export function requireAllowed(isAllowed: boolean): void {
  if (!isAllowed)
    throw new ApiError(403, "invalid_request", "Only an admin of your organization can do this.");
}

/** Returns the author of a change, for the audit log. */
export function actorOf({ user: { userId, platformUser }, address }: ConsoleSession): Actor {
  return { ...(userId !== null && { userId }), platformUser, address };
}

/** Makes a change of the organization's records, with the person of the session as its author. */
export function changeAs<Result>(
  { publisher }: Pick<ConsoleContext, "publisher">,
  session: ConsoleSession,
  make: (change: AuthoredChange) => Promise<Result>,
  options?: ChangeOptions,
): Promise<Result> {
  const by = actorOf(session);
  return publisher.change(session.user.organizationId, (change) => make({ ...change, by }), options);
}

/** Creates a check of whether a request has the cookie of a session. */
export function createSessionCheck({ db, clock, sessionCookie }: SessionContext) {
  return async (request: FastifyRequest): Promise<boolean> => {
    const secret = sessionCookie.read(request);
    return secret !== undefined && (await findConsoleUser(db, secret, new Date(clock()))) !== null;
  };
}

type SessionContext = Pick<ConsoleContext, "db" | "clock" | "sessionCookie">;

async function findConsoleSession(
  { db, clock }: ConsoleContext,
  request: FastifyRequest,
  sessionSecret: string,
): Promise<ConsoleSession | undefined> {
  const user = await findConsoleUser(db, sessionSecret, new Date(clock()));
  if (!user) return undefined;
  request.consoleSession = { user, sessionSecret, csrfToken: csrfToken(sessionSecret), address: request.ip };
  return request.consoleSession;
}
