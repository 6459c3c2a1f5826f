import { type Operation, operationTable } from "./description.ts";

const routes = operationTable.map((operation) => ({ operation, pattern: pathPattern(operation.path) }));

/** The operation that a request belongs to, or undefined for an unknown route. HEAD is answered as GET is. */
export function findOperation(method: string, path: string): Operation | undefined {
  const wanted = method.toUpperCase() === "HEAD" ? "GET" : method.toUpperCase();
  return operationsAt(path).find((operation) => operation.method === wanted);
}

/** Every operation at a path; empty for an unknown path. */
export function operationsAt(path: string): Operation[] {
  return routes.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
}

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
}
