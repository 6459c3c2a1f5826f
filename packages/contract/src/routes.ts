import { type Operation, operationTable } from "./description.ts";

const routes = operationTable.map((operation) => ({ operation, pattern: pathPattern(operation.path) }));

/** Returns the operation of a request; undefined for an unknown route. HEAD has the operation of GET. */
export function findOperation(method: string, path: string): Operation | undefined {
  const wanted = method.toUpperCase() === "HEAD" ? "GET" : method.toUpperCase();
  return operationsAt(path).find((operation) => operation.method === wanted);
}

/** Returns the operations of a path; empty for an unknown path. */
export function operationsAt(path: string): Operation[] {
  return routes.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
}

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
}
