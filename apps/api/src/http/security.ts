import { createHash, timingSafeEqual } from "node:crypto";
import { requestsPerMinute, type Scope, type SecurityScheme } from "@parley/contract";
import { isUuid } from "@parley/database";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import type { AdmitRequest } from "./overload.ts";
import type { CountRequest } from "./rate-limit.ts";

/** Finds the caller of an access token; null if the token is unknown, expired or revoked. */
export type FindCaller = (accessToken: string) => Promise<Caller | null>;

interface SecurityOptions {
  findCaller: FindCaller;
  countRequest: CountRequest;
  admitRequest: AdmitRequest;
  /** SHA-256 of each valid platform key. */
  platformKeyHashes: Buffer[];
}

type SecurityHandler = (request: FastifyRequest, reply: FastifyReply, scopes: Scope[]) => Promise<void>;

/** Handler of each security scheme of the contract. It receives the scopes of the operation. */
export type SecurityHandlers = Record<SecurityScheme, SecurityHandler>;

/** Creates the security handlers, which set `request.caller` or `request.platformOrganizationId`. */
export function securityHandlers(
  app: FastifyInstance,
  { findCaller, countRequest, admitRequest, platformKeyHashes }: SecurityOptions,
): SecurityHandlers {
  app.decorateRequest("caller", null);
  app.decorateRequest("onlyAsCreator", false);
  app.decorateRequest("platformOrganizationId", null);
  return {
    /** Checks in this order: 401, 403 plan_required, 429, 503 when overloaded, 403 insufficient_scope. Validation follows. */
    async oauth2(request, reply, scopes) {
      const caller = await findCaller(bearerToken(request, "access token"));
      if (!caller) throw unauthorized("invalid_token", "The access token is expired or invalid. Refresh it.");
      request.caller = caller;
      if (!(caller.plan in requestsPerMinute)) {
        throw new ApiError(403, "plan_required", "API access requires the Starter plan or higher.");
      }
      await countRequest(request, reply);
      admitRequest(request, reply, caller.organizationId);
      const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
      if (missing.length === 0) return;
      const isLost = missing.every((scope) => caller.lostScopes.includes(scope));
      request.onlyAsCreator = isLost && request.routeOptions.config.operation?.isAllowedToCreator === true;
      if (!request.onlyAsCreator) throw insufficientScope(scopes, isLost ? lostRole(missing) : undefined);
    },

    async platformKey(request, reply) {
      const hash = createHash("sha256").update(bearerToken(request, "platform key")).digest();
      if (!platformKeyHashes.some((known) => timingSafeEqual(known, hash))) {
        throw unauthorized(
          "invalid_token",
          "The platform key is unknown. Check that PLATFORM_KEY_HASHES contains its hash.",
        );
      }
      const { organization_id: id } = request.params as { organization_id: string };
      if (isUuid(id)) {
        request.platformOrganizationId = id.toLowerCase();
        admitRequest(request, reply, request.platformOrganizationId);
      }
    },
  };
}

/**
 * Reads the bearer token from the `Authorization` header, RFC 6750 section 2.1. A token in the query is ignored,
 * because logs and browser histories contain queries (RFC 9700 section 4.3.2). A token in the query in addition to the
 * header is an error (RFC 6750 section 2).
 */
function bearerToken({ headers: { authorization }, query }: FastifyRequest, kind: string): string {
  if (!authorization)
    throw unauthorized(
      "unauthorized",
      "The Authorization header is missing. Send `Authorization: Bearer <token>`.",
    );
  if (Object.hasOwn(query as object, "access_token")) {
    const description = "Send the token only in the Authorization header, not in the query.";
    throw new ApiError(400, "invalid_request", description, {
      "www-authenticate": 'Bearer realm="parley", error="invalid_request"',
    });
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (!token) throw unauthorized("unauthorized", `The Authorization header must be \`Bearer <${kind}>\`.`);
  return token;
}

/** Returns a 401. Without credentials, `WWW-Authenticate` contains no error code, RFC 6750 section 3. */
function unauthorized(code: "unauthorized" | "invalid_token", description: string): ApiError {
  const detail =
    code === "invalid_token" ? `, error="invalid_token", error_description="${description}"` : "";
  return new ApiError(401, code, description, { "www-authenticate": `Bearer realm="parley"${detail}` });
}

function lostRole(scopes: Scope[]): string {
  return `The role of the user does not allow ${scopes.join(" ")} any more. An admin of the organization can connect the app.`;
}

/**
 * Returns a 403, RFC 6750 section 3.1.
 *
 * @param scopes all scopes that the request needs
 */
export function insufficientScope(
  scopes: Scope[],
  description = `This request needs the scope ${scopes.join(" ")}.`,
): ApiError {
  const needed = scopes.join(" ");
  return new ApiError(403, "insufficient_scope", description, {
    "www-authenticate": `Bearer realm="parley", error="insufficient_scope", scope="${needed}"`,
  });
}
