import type { paths } from "./generated/schema.ts";
import type { SuccessOf } from "./types.ts";

/** The methods that the contract uses. */
export type Verb = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have an operation of this method. */
export type PathWith<Method extends Verb> = {
  [Path in keyof paths]: paths[Path][Method] extends { responses: unknown } ? Path : never;
}[keyof paths];

/** The paths of lists. */
export type ListPath = {
  [Path in PathWith<"get">]: SuccessOf<paths[Path]["get"]> extends { data: readonly unknown[] }
    ? Path
    : never;
}[PathWith<"get">];

/** What an operation needs: parameters of its path and query, and its body. */
export type Input<Operation> = (Operation extends { parameters: { path: infer Path } }
  ? { path: Path }
  : unknown) &
  (Operation extends { parameters: { query?: infer Query } } ? { query?: Query | undefined } : unknown) &
  (Operation extends { requestBody: { content: { "application/json": infer Body } } }
    ? { body: Body }
    : Operation extends { requestBody?: { content: { "application/json": infer Body } } }
      ? { body?: Body | undefined }
      : unknown);
