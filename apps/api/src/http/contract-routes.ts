import { description, type Operation, operationTable, pages } from "@parley/contract";
import fastJsonStringify from "fast-json-stringify";
import Fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import glue from "fastify-openapi-glue";
import { leaveItemsToHandlers } from "./validation.ts";

/** Method, URL and schemas of an operation's route. */
type ContractRoute = Pick<RouteOptions, "method" | "url" | "schema"> & { operation: Operation };

let routes: Promise<ContractRoute[]> | undefined;

/**
 * Returns the routes of the contract. They are read once, and all servers of a process share their schemas. Therefore each schema is also
 * compiled only once.
 */
export function contractRoutes(): Promise<ContractRoute[]> {
  routes ??= readRoutes();
  return routes;
}

async function readRoutes(): Promise<ContractRoute[]> {
  const reader = Fastify({ exposeHeadRoutes: false });
  const found: ContractRoute[] = [];
  reader.addHook("onRoute", ({ method, url, schema, config }) => {
    if (config?.operation) found.push({ method, url, schema: schema ?? {}, operation: config.operation });
  });
  for (const document of [description, pages]) {
    await reader.register(glue, {
      specification: descriptionForGlue(document),
      // RouteOptions requires method and URL, which would replace the method and URL from fastify-openapi-glue.
      operationResolver: (operationId) =>
        ({ handler() {}, config: { operation: operationOf(operationId) } }) as unknown as RouteOptions,
    });
  }
  return found;
}

function operationOf(operationId: string): Operation {
  const operation = operationTable.find((candidate) => candidate.operationId === operationId);
  if (!operation) throw new Error(`the contract has no operation ${operationId}`);
  return operation;
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

const serializers = new WeakMap<object, (body: unknown) => string>();

/** Serializes responses by the schemas of the contract. */
export function serializeByContract(app: FastifyInstance): void {
  app.setSerializerCompiler<object>(({ schema }) => {
    const serialize = serializers.get(schema) ?? fastJsonStringify(schema);
    serializers.set(schema, serialize);
    return serialize;
  });
}
