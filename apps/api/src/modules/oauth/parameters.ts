import { ApiError } from "../../http/api-error.ts";

/** Parameters of a form, a JSON body or a query, by name. */
export type Parameters = object;

/** Returns a parameter's value. An empty value counts as omitted, RFC 6749 section 3.1. */
export function parameter(parameters: Parameters, name: string): string | undefined {
  const value: unknown = Reflect.get(parameters, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Checks whether a parameter was sent more than once, which RFC 6749 section 3.1 forbids. */
export function isRepeated(parameters: Parameters, name: string): boolean {
  return Array.isArray(Reflect.get(parameters, name));
}

/**
 * Requires parameters to be present, RFC 6749 section 5.2.
 *
 * @throws ApiError 400 invalid_request that names all missing parameters
 */
export function requireParameters(parameters: Parameters, names: string[]): void {
  const missing = names.filter((name) => parameter(parameters, name) === undefined);
  if (missing.length === 0) return;
  const subject =
    missing.length === 1 ? `parameter ${missing[0]} is` : `parameters ${missing.join(", ")} are`;
  throw new ApiError(400, "invalid_request", `The ${subject} missing.`);
}
