import { type Operation, operationTable } from "./description.ts";

/** Paths with fewer parameters first, because `/events/samples` matches before `/events/{id}`, OpenAPI 3.1 section 4.8.8.2. */
const routes = operationTable
  .map((operation) => ({ operation, pattern: pathPattern(operation.path) }))
  .sort((a, b) => parameters(a.operation.path) - parameters(b.operation.path));

/** Returns the operation of a request; undefined for an unknown route. HEAD has the operation of GET. */
export function findOperation(method: string, path: string): Operation | undefined {
  const wanted = method.toUpperCase() === "HEAD" ? "GET" : method.toUpperCase();
  return operationsAt(path).find((operation) => operation.method === wanted);
}

/** Returns the operations of a path; empty for an unknown path. */
export function operationsAt(path: string): Operation[] {
  return routes.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
}

function parameters(path: string): number {
  return path.split("{").length - 1;
}

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
}
