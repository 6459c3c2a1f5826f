import type { operations as apiOperations } from "./generated/openapi.ts";
import type { operations as pageOperations } from "./generated/pages.ts";

/** Operations that the server handles: those of the API and of the pages. Receivers handle the webhooks. */
type Handled = Omit<apiOperations, `receive${string}`> & pageOperations;

/** Name of an operation that the server handles. */
export type OperationId = keyof Handled;

type Json<Container> = Container extends { content: { "application/json": infer Body } } ? Body : never;
type Success<Responses> = Responses extends object
  ? {
      [Status in keyof Responses]: `${Status & number}` extends `2${string}` ? Responses[Status] : never;
    }[keyof Responses]
  : never;

/** Query with `limit`, `offset` and `sort` required, because validation sets their defaults before a handler runs. */
type DefaultsApplied<Query> = Query extends { limit?: number; offset?: number }
  ? Query & Required<Pick<Query, Extract<keyof Query, "limit" | "offset" | "sort">>>
  : Query;

/** Path parameters, query and JSON or form body of a validated request. */
export interface RequestOf<Op extends OperationId> {
  params: Handled[Op]["parameters"] extends { path: infer Path } ? Path : Record<string, never>;
  query: Handled[Op]["parameters"] extends { query?: infer Query }
    ? DefaultsApplied<NonNullable<Query>>
    : Record<string, never>;
  body: NonNullable<Handled[Op]["requestBody"]> extends { content: infer Content }
    ? Content[keyof Content]
    : undefined;
}

/** JSON body of the successful response of an operation; `never` without one. */
export type ResponseOf<Op extends OperationId> = Json<Success<Handled[Op]["responses"]>>;
