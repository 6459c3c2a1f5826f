import type { paths } from "./generated/schema.ts";
import type { SuccessOf } from "./types.ts";

/** An HTTP method of the contract. */
export type Verb = "get" | "post" | "put" | "patch" | "delete";

/** A path that has an operation with this method. */
export type PathWith<Method extends Verb> = {
  [Path in keyof paths]: paths[Path][Method] extends { responses: unknown } ? Path : never;
}[keyof paths];

/** A path whose GET operation returns a list. */
export type ListPath = {
  [Path in PathWith<"get">]: SuccessOf<paths[Path]["get"]> extends { data: readonly unknown[] }
    ? Path
    : never;
}[PathWith<"get">];

/** Path parameters, query parameters and request body of an operation. */
export type Input<Operation> = (Operation extends { parameters: { path: infer Path } }
  ? { path: Path }
  : unknown) &
  (Operation extends { parameters: { query?: infer Query } } ? { query?: Query | undefined } : unknown) &
  (Operation extends { requestBody: { content: { "application/json": infer Body } } }
    ? { body: Body }
    : Operation extends { requestBody?: { content: { "application/json": infer Body } } }
      ? { body?: Body | undefined }
      : unknown);
