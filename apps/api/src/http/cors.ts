import cors, { type FastifyCorsOptions } from "@fastify/cors";
import { operationTable } from "@parley/contract";
import type { FastifyInstance } from "fastify";
import { pathOf } from "./path-of.ts";

/**
 * Paths that apps in a browser may call from other origins. Pages are excluded because they act on cookies, the Platform API
 * because its key must not be in a browser.
 */
const crossOriginPaths =
  /^\/(?:api\/v1(?:\/.*)?|api\/oauth\/(?:token|revoke)|\.well-known\/(?:oauth-authorization-server|parley\/.*))$/;

const allowed: FastifyCorsOptions = {
  // Any origin is safe: callers authenticate with a token, not with cookies or client certificates that the browser adds.
  origin: "*",
  credentials: false,
  methods: [...new Set(operationTable.map(({ method }) => method))].sort(),
  exposedHeaders: [
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Location",
    "WWW-Authenticate",
    "Idempotent-Replayed",
  ],
  maxAge: 7_200, // Seconds; the longest that Chromium caches a preflight.
  strictPreflight: false,
};
const refused: FastifyCorsOptions = { origin: false };

/**
 * Adds CORS to the API and the OAuth endpoints, RFC 7009 section 2.3, RFC 9700 section 2.6. Preflights get a response before
 * authentication and rate limiting, because browsers send them without the token.
 */
export async function allowOtherOrigins(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    delegator: (request, done) => done(null, crossOriginPaths.test(pathOf(request)) ? allowed : refused),
  });
}
