import openapiTS, { astToString } from "openapi-typescript";

/**
 * Returns the TypeScript types of a bundled OpenAPI description.
 *
 * @param options.defaultsApplied whether members with a default are always there: a server reads a body after validation
 *   has filled them in, a client may leave them out
 */
export async function schemaTypes(
  contract: string,
  { defaultsApplied }: { defaultsApplied: boolean },
): Promise<string> {
  return astToString(await openapiTS(contract, { defaultNonNullable: defaultsApplied }));
}
