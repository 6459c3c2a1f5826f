import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../../http/api-error.ts";
import { sendJsonError } from "../../http/errors.ts";
import { pathOf } from "../../http/path-of.ts";
import { pageAddress } from "../oauth/authorize/authorization-form.ts";
import { errorPage } from "../oauth/pages/error-page.ts";
import { type Page, sendPage } from "../oauth/pages/page.ts";
import { appsAddress, clientsAddress } from "./addresses.ts";
import { notFoundPage } from "./pages/refusal-pages.ts";

const authorization = "/api/oauth/authorize";

/** Whether people look at a path in a browser: the authorization page and the account pages. */
export function isPage(path: string): boolean {
  return path === authorization || /^\/account(?:\/|$)/.test(path);
}

/** Sends an error in the form of its address: a page where people look, the body of specification §7 everywhere else. */
export function sendErrorInForm(error: ApiError, reply: FastifyReply): FastifyReply {
  const { request } = reply;
  const path = pathOf(request);
  if (!isPage(path)) return sendJsonError(error, reply);
  return sendPage(reply.headers(error.headers), error.status, pageOf(error, request, path));
}

function pageOf(error: ApiError, request: FastifyRequest, path: string): Page {
  if (error.status === 404 && path.startsWith(`${clientsAddress}/`)) return notFoundPage();
  return errorPage(error, request.id, wayBack(error, request, path));
}

/** To where the form was, or to what may work in a moment; a link to Parley that is wrong in itself leads nowhere. */
function wayBack({ status }: ApiError, request: FastifyRequest, path: string): string | undefined {
  const again = request.method === "POST" || status >= 500;
  if (path === authorization) return again ? pageAddress(request) : undefined;
  return again ? path : appsAddress;
}
