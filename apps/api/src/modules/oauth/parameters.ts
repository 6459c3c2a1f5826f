import { ApiError } from "../../http/api-error.ts";

/** Parameters of a form, a JSON body or a query. */
export type Parameters = Record<string, unknown>;

/** A parameter's value. An empty one counts as omitted, RFC 6749 section 3.1. */
export function parameter(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether a parameter was sent more than once, which RFC 6749 section 3.1 forbids. */
export function isRepeated(parameters: Parameters, name: string): boolean {
  return Array.isArray(parameters[name]);
}

/** @throws ApiError 400 invalid_request that names every parameter that is missing */
export function requireParameters(parameters: Parameters, names: string[]): void {
  const missing = names.filter((name) => parameter(parameters, name) === undefined);
  if (missing.length === 1)
    throw new ApiError(400, "invalid_request", `The parameter ${missing[0]} is missing.`);
  if (missing.length > 1) {
    throw new ApiError(400, "invalid_request", `The parameters ${missing.join(", ")} are missing.`);
  }
}
