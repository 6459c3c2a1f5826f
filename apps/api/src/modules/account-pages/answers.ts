import type { FastifyInstance, onRequestHookHandler } from "fastify";
import { answerWithPages, storeNothing } from "../oauth/answers.ts";
import { errorPage } from "../oauth/pages/error-page.ts";
import { notFoundPage } from "./pages/not-found-page.ts";

/** The account pages speak to people also of errors, and nothing of them is stored. Call it before the routes are made. */
export function answerAccountPages(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith("/account/")) return;
    route.onRequest = [storeNothing, route.onRequest ?? []].flat() as onRequestHookHandler[];
    answerWithPages(route, (error, request) => {
      if (error.status === 404) return notFoundPage();
      const page = (request.url.split("?")[0] ?? "").replace(/^.*?(?=\/account\/)/, "");
      return errorPage(error, request.id, page);
    });
  });
}
