import { description, operationsAt, operationTable } from "@parley/contract";
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from "fastify";
import glue from "fastify-openapi-glue";
import { ApiError } from "./api-error.ts";
import type { SendError } from "./errors.ts";
import type { Handlers } from "./handlers.ts";
import { pathOf } from "./path-of.ts";
import { leaveItemsToHandlers, validateByContract } from "./validation.ts";

/** Routes, validation and security of every operation, as the contract says. */
export async function serveContract(
  app: FastifyInstance,
  handlers: Handlers,
  securityHandlers: object,
  sendError: SendError,
): Promise<void> {
  refuseUnimplemented(handlers);
  validateByContract(app);
  app.addHook("onRoute", checkSecurityFirst);
  await app.register(glue, {
    specification: forGlue(),
    securityHandlers,
    operationResolver: (operationId) => withSuccessStatus(operationId, handlers),
  });
  app.setNotFoundHandler((request, reply) => sendError(unknownRoute(request), reply));
}

function refuseUnimplemented(handlers: Handlers): void {
  const missing = operationTable.map(({ operationId }) => operationId).filter((id) => !(id in handlers));
  if (missing.length > 0) throw new Error(`the contract's operations ${missing.join(", ")} have no handler`);
}

/** Pages are sent as they are (the glue would look for a parser of their content type), items of batches checked by the handler. */
function forGlue(): object {
  const copy = structuredClone(description);
  for (const response of Object.values(copy.components.responses)) {
    if ("content" in response && "text/html" in response.content)
      Reflect.deleteProperty(response.content, "text/html");
  }
  leaveItemsToHandlers(copy.paths);
  return copy;
}

/** The glue runs security as `preHandler`, after validation; a stranger would learn about fields before being asked who he is. */
function checkSecurityFirst(route: RouteOptions): void {
  if (!route.preHandler) return;
  route.onRequest = [route.preHandler, route.onRequest ?? []].flat() as onRequestHookHandler[];
  delete route.preHandler;
}

type AnyHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

function withSuccessStatus(operationId: string, handlers: Handlers): AnyHandler {
  const operation = operationTable.find((candidate) => candidate.operationId === operationId);
  if (!operation) throw new Error(`${operationId} is not an operation of the contract`);
  const handler = handlers[operation.operationId] as AnyHandler;
  return (request, reply) => handler(request, reply.code(operation.successStatus));
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
