import type { ErrorCode } from "../errors/error-from.ts";
import * as examples from "../generated/examples.ts";
import type { operations } from "../generated/schema.ts";
import type { SuccessOf } from "../types.ts";
import { exampleOf } from "./example-of.ts";
import { merged } from "./merge.ts";

/** Values that replace those of an example. Objects are merged; arrays and all other values are replaced. */
export type Overrides<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]?: Overrides<Value[Name]> | undefined }
    : Value;

/** ID of an operation that returns JSON, for example `getLead`. The API reference lists them. */
export type OperationId = {
  [Id in keyof operations]: [SuccessOf<operations[Id]>] extends [never] ? never : Id;
}[keyof operations];

/**
 * Returns the example response of an operation in the API reference, with the values that you override.
 *
 * @throws TypeError if there is no such operation
 *
 * @example
 * const { data: lead } = responseExample("getLead", { data: { attributes: { score: 91 } } });
 */
export function responseExample<Id extends OperationId>(
  operation: Id,
  overrides?: Overrides<SuccessOf<operations[Id]>>,
): SuccessOf<operations[Id]> {
  return merged(exampleOf(examples.operations, operation).body, overrides) as SuccessOf<operations[Id]>;
}

/** Options of {@link errorResponse}. */
export interface ErrorOptions {
  /** `error_description` of the body. Default: the description of the example in the API reference. */
  readonly description?: string | undefined;
  /** Value of `Retry-After` in seconds. Default: 0 for `rate_limit_exceeded`, so that a retry does not wait. */
  readonly retryAfter?: number | undefined;
}

/**
 * Returns an error response of the API, for {@link fakeFetch}.
 *
 * @param code - `error` of the body
 * @throws TypeError if there is no such code
 *
 * @example
 * const fetch = fakeFetch({ getLead: errorResponse("not_found") });
 */
export function errorResponse(code: ErrorCode, options: ErrorOptions = {}): Response {
  const { status, body } = exampleOf(examples.errors, code);
  const { description, retryAfter = status === 429 ? 0 : undefined } = options;
  return Response.json(merged(body, { error_description: description }), {
    status,
    headers: retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` },
  });
}
