import type { operations as apiOperations } from "./generated/openapi.ts";
import type { operations as pageOperations } from "./generated/pages.ts";

/** What the server handles: the operations of the API and its pages, without the webhooks, which others handle. */
type Handled = Omit<apiOperations, `receive${string}`> & pageOperations;

/** Name of an operation that the server handles. */
export type OperationId = keyof Handled;

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
  params: Handled[Op]["parameters"] extends { path: infer Path } ? Path : Record<string, never>;
  query: Handled[Op]["parameters"] extends { query?: infer Query }
    ? DefaultsApplied<NonNullable<Query>>
    : Record<string, never>;
  body: NonNullable<Handled[Op]["requestBody"]> extends { content: infer Content }
    ? Content[keyof Content]
    : undefined;
}

/** JSON body of the successful response of an operation; `never` when it has none. */
export type ResponseOf<Op extends OperationId> = Json<Success<Handled[Op]["responses"]>>;
