import { description, type Operation, operationsAt, operationTable, pages } from "@parley/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import glue from "fastify-openapi-glue";
import { ApiError, noRoute } from "./api-error.ts";
import type { SendError } from "./errors.ts";
import type { Handlers } from "./handlers.ts";
import { pathOf } from "./path-of.ts";
import { isSearch, type SearchLimit } from "./search-limit.ts";
import type { SecurityHandlers } from "./security.ts";
import { leaveItemsToHandlers, validateByContract } from "./validation.ts";

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
}

/** Adds routes, validation and security for every operation of the contract. */
export async function serveContract(app: FastifyInstance, options: ContractOptions): Promise<void> {
  validateByContract(app);
  for (const document of [description, pages]) {
    await app.register(glue, {
      specification: descriptionForGlue(document),
      // RouteOptions requires method and URL, which would replace the method and URL from fastify-openapi-glue.
      operationResolver: (operationId) => routeOf(operationId, options) as RouteOptions,
    });
  }
  app.setNotFoundHandler((request, reply) => options.sendError(unknownRoute(request), reply));
}

/**
 * Returns a description without what the glue must not process. It has no serializer for HTML responses, JSON.stringify writes
 * unions as quickly, and the handler of a batch validates the items one by one.
 */
function descriptionForGlue(document: typeof description | typeof pages): object {
  const copy = structuredClone(document);
  const { responses, schemas } = copy.components;
  for (const response of Object.values(responses)) {
    if ("content" in response && "text/html" in response.content)
      Reflect.deleteProperty(response.content, "text/html");
  }
  for (const schema of Object.values(schemas)) {
    if ("oneOf" in schema && "discriminator" in schema) Reflect.deleteProperty(schema, "oneOf");
  }
  leaveItemsToHandlers(schemas);
  return copy;
}

type AnyHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Returns the options of an operation's route. The glue adds method, URL and schema. */
function routeOf(
  operationId: string,
  { handlers, security, searches, isPage }: ContractOptions,
): Omit<RouteOptions, "method" | "url"> {
  const operation = operationTable.find((candidate) => candidate.operationId === operationId);
  if (!operation) throw new Error(`the contract has no operation ${operationId}`);
  const handler = handlers[operation.operationId] as AnyHandler;
  const { scheme, scopes, successStatus } = operation;
  return {
    handler(request, reply) {
      const handle = () => handler(request, reply.code(successStatus));
      const organizationId = request.caller?.organizationId;
      return organizationId !== undefined && isSearch(request)
        ? searches.run(organizationId, handle)
        : handle();
    },
    // Runs before validation, so that a caller without a token learns nothing about fields. The glue's security runs after it.
    ...(scheme && { onRequest: (request, reply) => security[scheme](request, reply, scopes ?? []) }),
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
