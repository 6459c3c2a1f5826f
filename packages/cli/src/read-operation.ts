import { Failure } from "@parley/command-line";
import type { ReadOperation } from "@parley/contract/read-operations";
import { type Parley, ParleyError, rawClient } from "@parley/sdk";

/**
 * Calls an operation that reads data, and returns the body of its response.
 *
 * @param ids values of the path parameters, in order
 * @throws ParleyError
 */
export async function readOperation<Body>(
  parley: Parley,
  { path, pathParameters }: ReadOperation,
  ids: string[],
  query: Record<string, string | string[]>,
): Promise<Body> {
  const invalid = ids.find((id) => /^\.{0,2}$/.test(id));
  if (invalid !== undefined) throw new Failure(`An ID must not be "${invalid}".`, 2);
  const names = pathParameters.map(({ name }) => name);
  const params = { path: Object.fromEntries(names.map((name, index) => [name, ids[index]])), query };
  // The compiler cannot check a path that it does not know.
  const { data, error, response } = await rawClient(parley).GET(path as "/api/v1/me", { params } as never);
  if (data !== undefined) return data as Body;
  const body = error as { error?: string; error_description?: string } | undefined;
  const code = body?.error ?? "unexpected_response";
  throw new ParleyError({
    status: response.status,
    code,
    description: body?.error_description ?? "Unexpected response.",
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}
