import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../../http/api-error.ts";
import { type SendError, sendJsonError } from "../../http/errors.ts";
import { pathOf } from "../../http/path-of.ts";
import { pageAddress } from "../oauth/authorize/authorization-form.ts";
import { errorPage } from "../oauth/pages/error-page.ts";
import { type Page, sendPage } from "../oauth/pages/page.ts";
import { overviewAddress } from "./addresses.ts";
import { notFoundPage } from "./layout/error-pages.ts";

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
  if (error.status === 404 && path !== authorization) return notFoundPage();
  return errorPage(error, request.id, backLink(error, request, path));
}

/** Returns the address for the "Back" link; undefined for an invalid authorization request, which would fail again. */
function backLink({ status }: ApiError, request: FastifyRequest, path: string): string | undefined {
  const isRetryable = request.method === "POST" || status >= 500;
  if (path === authorization) return isRetryable ? pageAddress(request) : undefined;
  return isRetryable ? path : overviewAddress;
}
