import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from "fastify";
import { ApiError } from "../../http/api-error.ts";
import { pageAddress } from "./authorization-form.ts";
import { errorPage } from "./pages/error-page.ts";
import { type Page, sendPage } from "./pages/page.ts";

/**
 * How the OAuth routes answer, whatever comes: nothing is stored anywhere (RFC 6749 section 5.1), and the
 * authorization endpoint speaks to people. Call it before the contract's routes are made.
 */
export function answerAsOAuth(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith("/api/oauth/")) return;
    route.onRequest = [storeNothing, route.onRequest ?? []].flat() as onRequestHookHandler[];
    if (route.url === "/api/oauth/authorize") answerAuthorization(route);
  });
}

/** Keeps every cache from storing the answer. */
export const storeNothing: onRequestHookHandler = (_request, reply, done) => {
  reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
  done();
};

/** The endpoint reads its query itself, since a parameter that is wrong may have to be told by redirect. */
function answerAuthorization(route: RouteOptions): void {
  answerWithPages(route, (error, request) => {
    return errorPage(error, request.id, request.method === "POST" ? pageAddress(request) : undefined);
  });
}

/**
 * A route that people see: it speaks of errors in pages, and its handler looks after `request.validationError` itself.
 *
 * @param pageOf shows an error that the contract documents as a page
 */
export function answerWithPages(
  route: RouteOptions,
  pageOf: (error: ApiError, request: FastifyRequest) => Page,
): void {
  route.attachValidation = true;
  route.errorHandler = (error: FastifyError | ApiError, request: FastifyRequest, reply: FastifyReply) => {
    const shown = forPeople(error);
    if (!shown) throw error;
    void sendPage(reply.headers(shown.headers), shown.status, pageOf(shown, request));
  };
}

/** What the contract shows as a page; the rest keeps the form that it has everywhere. */
function forPeople(error: FastifyError | ApiError): ApiError | undefined {
  if (error instanceof ApiError) return [400, 403, 404, 429].includes(error.status) ? error : undefined;
  return error.statusCode === 400
    ? new ApiError(400, "invalid_request", "The form could not be read.")
    : undefined;
}
