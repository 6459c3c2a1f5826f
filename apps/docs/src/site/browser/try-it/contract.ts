import { find, type PathOperation, type Schema, type SiteContract } from "../../contract.ts";

let loading: Promise<SiteContract> | undefined;

/** Loads the contract from the server, once. */
export async function loadContract(): Promise<SiteContract> {
  loading ??= fetch("/docs/openapi.json").then((response) => {
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return response.json() as Promise<SiteContract>;
  });
  return loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
}

/** Returns a schema without references, `allOf`, the alternative `null`, and alternatives that are only values. */
export function flatten(contract: SiteContract, schema: Schema): Schema {
  const { allOf = [], oneOf = [], ...own } = find(contract, schema as never) as Schema;
  const alternatives = oneOf.filter(({ type }) => type !== "null");
  const parts = [...allOf, ...(alternatives.length === 1 ? alternatives : [])].map((part) =>
    flatten(contract, part),
  );
  const all = [...parts, own];
  const flat: Schema = Object.assign({}, ...all);
  if (all.some(({ properties }) => properties))
    flat.properties = Object.assign({}, ...all.map(({ properties }) => properties));
  const choices = alternatives.map((part) => flatten(contract, part).enum);
  if (choices.length > 1 && choices.every((values) => values !== undefined)) flat.enum = choices.flat();
  flat.required = all.flatMap(({ required = [] }) => required);
  return flat;
}

/** Returns the schema and the example of the JSON body of an operation; undefined if it has none. */
export function jsonBodyOf({ operation }: PathOperation): { schema: Schema; example: unknown } | undefined {
  const media = operation.requestBody?.content["application/json"];
  if (!media) return undefined;
  const { schema, example, examples = {} } = media;
  return { schema, example: example ?? Object.values(examples)[0]?.value };
}

/**
 * Returns the path of the list that contains the records that a parameter or field can name: `/api/v1/leads` for `id` in
 * `/api/v1/leads/{id}` and for `lead_id`; undefined if there is none.
 */
export function listPathOf({ paths }: SiteContract, path: string, name: string): string | undefined {
  const isList = (candidate: string) => paths[candidate]?.["get"] !== undefined;
  const before = path.split(`/{${name}}`)[0] ?? "";
  if (before !== path) return isList(before) ? before : undefined;
  const named = `/api/v1/${name.replace(/_id$/, "")}s`;
  return name.endsWith("_id") && isList(named) ? named : undefined;
}
