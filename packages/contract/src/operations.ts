import type { operations } from "./generated/openapi.ts";

/** Name of an operation of the contract. */
export type OperationId = keyof operations;

type Json<Container> = Container extends { content: { "application/json": infer Body } } ? Body : never;
type Success<Responses> = Responses extends object
  ? {
      [Status in keyof Responses]: `${Status & number}` extends `2${string}` ? Responses[Status] : never;
    }[keyof Responses]
  : never;

/** A page's size and position always have a value by the time a handler runs: validation fills in the defaults. */
type DefaultsApplied<Query> = Query extends { limit?: number; offset?: number }
  ? Query & { limit: number; offset: number }
  : Query;

/** Path parameters, query and JSON or form body of an operation, as a handler sees them after validation. */
export interface RequestOf<Op extends OperationId> {
  params: operations[Op]["parameters"] extends { path: infer Path } ? Path : Record<string, never>;
  query: operations[Op]["parameters"] extends { query?: infer Query }
    ? DefaultsApplied<NonNullable<Query>>
    : Record<string, never>;
  body: NonNullable<operations[Op]["requestBody"]> extends { content: infer Content }
    ? Content[keyof Content]
    : undefined;
}

/** JSON body of the successful answer of an operation; `never` where it has none. */
export type ResponseOf<Op extends OperationId> = Json<Success<operations[Op]["responses"]>>;
