import { type Operation, operationsAt } from "@parley/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { ApiError, noRoute } from "./api-error.ts";
import { bodyLimitOf, requireSessionForLargeBody } from "./body-limits.ts";
import { contractRoutes, serializeByContract } from "./contract-routes.ts";
import type { SendError } from "./errors.ts";
import type { Handlers } from "./handlers.ts";
import { pathOf } from "./path-of.ts";
import { isSearch, type SearchLimit } from "./search-limit.ts";
import type { SecurityHandlers } from "./security.ts";
import { validateByContract } from "./validation.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation that the route serves; undefined for routes that are not in the contract. */
    operation?: Operation;
  }
}

interface ContractOptions {
  handlers: Handlers;
  security: SecurityHandlers;
  /** Limits the searches of an organization that run at the same time. */
  searches: SearchLimit;
  sendError: SendError;
  /** Checks whether a path serves HTML pages, whose handlers read `request.validationError`. */
  isPage: (path: string) => boolean;
  /** Checks whether a request has the cookie of a session of the console. */
  hasSession: (request: FastifyRequest) => Promise<boolean>;
}

/** Adds routes, validation and security for every operation of the contract. */
export async function serveContract(app: FastifyInstance, options: ContractOptions): Promise<void> {
  validateByContract(app);
  serializeByContract(app);
  for (const { operation, ...route } of await contractRoutes()) {
    app.route({ ...route, ...handlingOf(operation, options) });
  }
  app.setNotFoundHandler((request, reply) => options.sendError(unknownRoute(request), reply));
}

type AnyHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Returns how a server handles requests for an operation, in addition to the method, URL and schema of its route. */
function handlingOf(
  operation: Operation,
  { handlers, security, searches, isPage, hasSession }: ContractOptions,
): Omit<RouteOptions, "method" | "url" | "schema"> {
  const handler = handlers[operation.operationId] as AnyHandler;
  const { scheme, scopes, successStatus, maxBodyBytes } = operation;
  return {
    handler(request, reply) {
      const handle = () => handler(request, reply.code(successStatus));
      const organizationId = request.caller?.organizationId;
      return organizationId !== undefined && isSearch(request)
        ? searches.run(organizationId, handle)
        : handle();
    },
    // Runs before validation, so that a caller without a token learns nothing about fields.
    ...(scheme && { onRequest: (request, reply) => security[scheme](request, reply, scopes ?? []) }),
    ...(maxBodyBytes && { onRequest: (request) => requireSessionForLargeBody(request, hasSession) }),
    bodyLimit: bodyLimitOf(operation),
    ...(isPage(operation.path) && { attachValidation: true, preValidation: removeEmptyParameters }),
    config: { operation },
  };
}

/** Removes query parameters without a value, which a browser sends for empty fields of a form. */
async function removeEmptyParameters(request: FastifyRequest): Promise<void> {
  const query = request.query as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) if (value === "") Reflect.deleteProperty(query, name);
}

/** Returns 405 if the path exists with other methods, else 404. */
function unknownRoute(request: FastifyRequest): ApiError {
  const path = pathOf(request);
  const allowed = operationsAt(path).map(({ method }) => method);
  if (allowed.length === 0) return noRoute(request);
  const allow = allowed.join(", ");
  const description = `Method ${request.method} is not allowed for this path. Allowed: ${allow}.`;
  return new ApiError(405, "invalid_request", description, { allow });
}
