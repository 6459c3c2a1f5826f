import { description, type Operation, operationsAt, operationTable, pages } from "@parley/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import glue from "fastify-openapi-glue";
import { ApiError } from "./api-error.ts";
import type { SendError } from "./errors.ts";
import type { Handlers } from "./handlers.ts";
import { pathOf } from "./path-of.ts";
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
  sendError: SendError;
  /** Whether the operation at a path answers with pages, whose handlers look at `request.validationError`. */
  isPage: (path: string) => boolean;
}

/** Adds the routes, validation and security of every operation, as the contract says. */
export async function serveContract(app: FastifyInstance, options: ContractOptions): Promise<void> {
  refuseUnimplemented(options.handlers);
  validateByContract(app);
  for (const document of [description, pages]) {
    await app.register(glue, {
      specification: forGlue(document),
      // The cast: RouteOptions asks for method and URL, which would replace the glue's.
      operationResolver: (operationId) => routeOf(operationId, options) as RouteOptions,
    });
  }
  app.setNotFoundHandler((request, reply) => options.sendError(unknownRoute(request), reply));
}

function refuseUnimplemented(handlers: Handlers): void {
  const missing = operationTable.map(({ operationId }) => operationId).filter((id) => !(id in handlers));
  if (missing.length > 0) throw new Error(`the contract's operations ${missing.join(", ")} have no handler`);
}

/**
 * Returns a description without what the glue must not do: look for a parser of HTML, compile serializers for unions (JSON.stringify
 * is as quick), and check the items of a batch, which their handler does.
 */
function forGlue(document: typeof description | typeof pages): object {
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

/** Returns the options of an operation's route; the glue adds its method, URL and schema. */
function routeOf(
  operationId: string,
  { handlers, security, isPage }: ContractOptions,
): Omit<RouteOptions, "method" | "url"> {
  const operation = operationTable.find((candidate) => candidate.operationId === operationId);
  if (!operation) throw new Error(`${operationId} is not an operation of the contract`);
  const handler = handlers[operation.operationId] as AnyHandler;
  const { scheme, scopes, successStatus } = operation;
  return {
    handler: (request, reply) => handler(request, reply.code(successStatus)),
    // Before validation, where the glue's own security would run: a caller without a token learns nothing about fields.
    ...(scheme && { onRequest: (request, reply) => security[scheme](request, reply, scopes ?? []) }),
    attachValidation: isPage(operation.path),
    config: { operation },
  };
}

/** 404 for a path that the contract does not know, 405 for a method that it does not know there. */
function unknownRoute(request: FastifyRequest): ApiError {
  const path = pathOf(request);
  const allowed = operationsAt(path).map(({ method }) => method);
  if (allowed.length === 0) return new ApiError(404, "not_found", `There is nothing at ${path}.`);
  const allow = allowed.join(", ");
  return new ApiError(405, "invalid_request", `${request.method} is not possible here; use ${allow}.`, {
    allow,
  });
}
