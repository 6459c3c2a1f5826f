import { createHash, timingSafeEqual } from "node:crypto";
import { requestsPerMinute, type Scope, type SecurityScheme } from "@parley/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import type { CountRequest } from "./rate-limit.ts";

/** Finds whom an access token speaks for; null when it is unknown, expired or revoked. */
export type FindCaller = (accessToken: string) => Promise<Caller | null>;

interface SecurityOptions {
  findCaller: FindCaller;
  countRequest: CountRequest;
  /** SHA-256 of each platform key that is valid. */
  platformKeyHashes: Buffer[];
}

type SecurityHandler = (request: FastifyRequest, reply: FastifyReply, scopes: Scope[]) => Promise<void>;

/** One handler for each security scheme of the contract; it receives the scopes of the operation. */
export type SecurityHandlers = Record<SecurityScheme, SecurityHandler>;

/** Creates the security handlers. They set `request.caller`. */
export function securityHandlers(
  app: FastifyInstance,
  { findCaller, countRequest, platformKeyHashes }: SecurityOptions,
): SecurityHandlers {
  app.decorateRequest("caller", null);
  return {
    /** The order of checks is 401, 403 plan_required, 429, 403 insufficient_scope; validation follows. */
    async oauth2(request, reply, scopes) {
      const caller = await findCaller(bearerToken(request, "access token"));
      if (!caller) throw unauthorized("invalid_token", "The access token is expired or invalid.");
      request.caller = caller;
      if (!(caller.plan in requestsPerMinute)) {
        throw new ApiError(403, "plan_required", "API access requires the Starter plan or higher.");
      }
      await countRequest(request, reply);
      const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
      if (missing.length > 0) throw insufficientScope(scopes);
    },

    async platformKey(request) {
      const hash = createHash("sha256").update(bearerToken(request, "platform key")).digest();
      if (!platformKeyHashes.some((known) => timingSafeEqual(known, hash))) {
        throw unauthorized("invalid_token", "The platform key is unknown.");
      }
    },
  };
}

/**
 * RFC 6750 section 2.1. A token in the query never counts (RFC 9700 section 4.3.2: it would stand in logs and histories);
 * beside the header it is an error, section 2.
 */
function bearerToken({ headers: { authorization }, query }: FastifyRequest, kind: string): string {
  if (!authorization) throw unauthorized("unauthorized", "The Authorization header is missing.");
  if (Object.hasOwn(query as object, "access_token")) {
    const description = "The token belongs into the Authorization header alone, not into the query.";
    throw new ApiError(400, "invalid_request", description, {
      "www-authenticate": 'Bearer realm="parley", error="invalid_request"',
    });
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (!token) throw unauthorized("unauthorized", `The Authorization header must be \`Bearer <${kind}>\`.`);
  return token;
}

/** RFC 6750 section 3: a request without credentials is told the scheme alone, without an error code. */
function unauthorized(code: "unauthorized" | "invalid_token", description: string): ApiError {
  const detail =
    code === "invalid_token" ? `, error="invalid_token", error_description="${description}"` : "";
  return new ApiError(401, code, description, { "www-authenticate": `Bearer realm="parley"${detail}` });
}

function insufficientScope(scopes: Scope[]): ApiError {
  const needed = scopes.join(" ");
  return new ApiError(403, "insufficient_scope", `This request needs the scope ${needed}.`, {
    "www-authenticate": `Bearer realm="parley", error="insufficient_scope", scope="${needed}"`,
  });
}
