import { requestsPerMinute, type Scope } from "@parley/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import type { CountRequest } from "./rate-limit.ts";

/** Finds whom an access token speaks for; null when it is unknown, expired or revoked. */
export type FindCaller = (accessToken: string) => Promise<Caller | null>;

/**
 * The handler of the contract's `oauth2` scheme; the glue passes it the scopes of the operation.
 * The order of checks is 401, 403 plan_required, 429, 403 insufficient_scope; validation follows.
 */
export function securityHandlers(app: FastifyInstance, findCaller: FindCaller, countRequest: CountRequest) {
  app.decorateRequest("caller", null);
  return {
    async oauth2(request: FastifyRequest, reply: FastifyReply, scopes: Scope[]): Promise<void> {
      const caller = await findCaller(bearerToken(request));
      if (!caller) throw unauthorized("invalid_token", "The access token is expired or invalid.");
      request.caller = caller;
      if (!(caller.plan in requestsPerMinute)) {
        throw new ApiError(403, "plan_required", "API access requires the Starter plan or higher.");
      }
      await countRequest(request, reply);
      const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
      if (missing.length > 0) throw insufficientScope(scopes);
    },
  };
}

/** RFC 6750 section 2.1. A token in the query or the body is not looked at. */
function bearerToken(request: FastifyRequest): string {
  const { authorization } = request.headers;
  if (!authorization) throw unauthorized("unauthorized", "The Authorization header is missing.");
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (!token) throw unauthorized("unauthorized", "The Authorization header must be `Bearer <access token>`.");
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
