import cors, { type FastifyCorsOptions } from "@fastify/cors";
import { operationTable } from "@parley/contract";
import type { FastifyInstance } from "fastify";
import { pathOf } from "./path-of.ts";

/**
 * What programs call, and an app in a browser is one. Never pages, which act on the browser's cookies, nor the platform's
 * door, whose key does not belong into a browser.
 */
const callable =
  /^\/(?:api\/v1(?:\/.*)?|api\/oauth\/(?:token|revoke)|\.well-known\/oauth-authorization-server)$/;

const open: FastifyCorsOptions = {
  // Any origin, since nothing that a browser adds by itself (cookies, client certificates) says who calls: a token does.
  origin: "*",
  credentials: false,
  methods: [...new Set(operationTable.map(({ method }) => method))].sort(),
  exposedHeaders: [
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "Retry-After",
    "Location",
    "WWW-Authenticate",
    "Idempotent-Replayed",
  ],
  maxAge: 7_200, // Seconds; no browser keeps a preflight longer.
  strictPreflight: false,
};
const shut: FastifyCorsOptions = { origin: false };

/**
 * Lets browsers call the API and the endpoints of OAuth from pages of other origins, RFC 7009 section 2.3, RFC 9700 section 2.6. Preflights are
 * answered before token and rate limit are looked at, since browsers send them without the token.
 */
export async function allowOtherOrigins(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    delegator: (request, done) => done(null, callable.test(pathOf(request)) ? open : shut),
  });
}
