import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../../http/api-error.ts";
import { sendJsonError } from "../../http/errors.ts";
import { pathOf } from "../../http/path-of.ts";
import { pageAddress } from "../oauth/authorize/authorization-form.ts";
import { errorPage } from "../oauth/pages/error-page.ts";
import { type Page, sendPage } from "../oauth/pages/page.ts";
import { appsAddress, clientsAddress } from "./addresses.ts";
import { notFoundPage } from "./pages/refusal-pages.ts";

const authorization = "/api/oauth/authorize";
const isOfAccount = (path: string) => /^\/account(?:\/|$)/.test(path);

/**
 * The pages look after `request.validationError` themselves: what is wrong may have to be told by redirect. Call it before the
 * contract's routes are made.
 */
export function leaveValidationToPages(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (route.url === authorization || isOfAccount(route.url)) route.attachValidation = true;
  });
}

/** Sends an error in the form of its address: a page where people look, the body of specification §7 everywhere else. */
export function sendErrorInForm(error: ApiError, reply: FastifyReply): FastifyReply {
  const { request } = reply;
  const path = pathOf(request);
  if (path !== authorization && !isOfAccount(path)) return sendJsonError(error, reply);
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
