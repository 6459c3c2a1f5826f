import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../../http/api-error.ts";
import { type SendError, sendJsonError } from "../../http/errors.ts";
import { pathOf } from "../../http/path-of.ts";
import { pageAddress } from "../oauth/authorize/authorization-form.ts";
import { errorMessage, messagePage } from "../oauth/pages/error-page.ts";
import { type Page, sendPage } from "../oauth/pages/page.ts";
import { overviewAddress } from "./addresses.ts";
import { consolePage } from "./layout/console-page.ts";
import { notFoundMessage } from "./layout/error-pages.ts";
import type { ConsoleSession } from "./page-requests.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Session of a page or form of the console; null until it is found. Error pages of a session have its navigation. */
    consoleSession: ConsoleSession | null;
  }
}

/** Prepares requests for their session. */
export function keepConsoleSessions(app: FastifyInstance): void {
  app.decorateRequest("consoleSession", null);
}

const authorization = "/api/oauth/authorize";

/** Checks whether a path is an HTML page: the authorization page or a page of the console. */
export function isPage(path: string): boolean {
  return path === authorization || /^\/console(?:\/|$)/.test(path);
}

/** Sends an error as an HTML page if the path is a page, else as JSON. */
export function sendErrorResponse(error: ApiError, reply: FastifyReply): ReturnType<SendError> {
  const { request } = reply;
  const path = pathOf(request);
  if (!isPage(path)) return sendJsonError(error, reply);
  return sendPage(reply.headers(error.headers), error.status, pageOf(error, request, path));
}

function pageOf(error: ApiError, request: FastifyRequest, path: string): Page {
  const message =
    error.status === 404 && path !== authorization
      ? notFoundMessage
      : errorMessage(error, request.id, backLink(error, request, path));
  const session = request.consoleSession;
  return session ? consolePage(session, { ...message, section: "" }) : messagePage(message);
}

/** Returns the address for the "Back" link; undefined for an invalid authorization request, which would fail again. */
function backLink({ status }: ApiError, request: FastifyRequest, path: string): string | undefined {
  const isRetryable = request.method === "POST" || status >= 500;
  if (path === authorization) return isRetryable ? pageAddress(request) : undefined;
  return isRetryable ? path : overviewAddress;
}
