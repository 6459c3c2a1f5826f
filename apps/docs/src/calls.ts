/** The contract's operations as calls with the values of its examples. Every code sample is built from them. */

export interface Contract {
  paths: Record<string, PathItem>;
  [member: string]: unknown;
}

interface PathItem {
  parameters?: (Parameter | Reference)[];
  [method: string]: unknown;
}

interface Reference {
  $ref: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema: { default?: unknown };
}

export interface Operation {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, Example> }> };
  responses: Record<string, { content?: Record<string, unknown> } | Reference>;
  "x-codeSamples"?: { lang: string; label: string; source: string }[];
}

interface Example {
  value: unknown;
}

/** One call of an operation. */
export interface Call {
  operationId: string;
  /** Lower case. */
  method: string;
  /** Path template, for example `/api/v1/leads/{id}`. */
  path: string;
  /** Path parameters, in order. */
  ids: Record<string, string>;
  query: Record<string, unknown>;
  /** Headers in addition to `Authorization` and `Content-Type`. */
  headers: Record<string, string>;
  /** The JSON body; undefined if the call has none. */
  body: unknown;
  /** The security scheme of the operation; undefined if it needs no authentication. */
  scheme: string | undefined;
}

const methods = ["get", "post", "put", "patch", "delete"];

/** Returns every operation that programs call, with a call for each example of its body. Excludes pages for browsers. */
export function callsOf(contract: Contract): [Operation, Call[]][] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => [method, item[method] as Operation] as const)
      .filter(([, operation]) => !isForBrowsers(contract, operation))
      .map(([method, operation]): [Operation, Call[]] => {
        const given = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
        const parameters = given.map((each) => resolve(contract, each));
        const { operationId, security } = operation;
        const call = {
          operationId,
          method,
          path,
          ids: idsOf(path, parameters),
          query: queryOf(parameters),
          headers: {},
          scheme: security?.flatMap((scheme) => Object.keys(scheme))[0],
        };
        return [operation, bodiesOf(operation).map((body) => ({ ...call, body }))];
      }),
  );
}

/** Checks whether the response of an operation is a page for a browser, not for a program. */
export function isForBrowsers(contract: Contract, { responses }: Pick<Operation, "responses">): boolean {
  return Object.values(responses).some(
    (response) => "text/html" in (resolve(contract, response).content ?? {}),
  );
}

function idsOf(path: string, parameters: Parameter[]): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(
    names.map((name) => {
      const parameter = parameters.find((each) => each.in === "path" && each.name === name);
      if (typeof parameter?.example !== "string") throw new Error(`${path}: {${name}} has no example`);
      return [name, parameter.example];
    }),
  );
}

/** A list has many filters. A sample that shows all of them together hides how simple a request is. */
const mostOptional = 2;

/** Returns the query of a call: required parameters and the first optional ones, without examples that equal the default. */
function queryOf(parameters: Parameter[]): Record<string, unknown> {
  const shown = parameters.filter(
    ({ in: place, example, schema }) =>
      place === "query" && example !== undefined && example !== schema.default,
  );
  const optional = shown.filter(({ required }) => !required).slice(0, mostOptional);
  const query = shown.filter((parameter) => parameter.required || optional.includes(parameter));
  return Object.fromEntries(query.map(({ name, example }) => [name, example]));
}

/** Returns the examples of the JSON body, or `[undefined]` if the operation has no body. */
function bodiesOf({ requestBody }: Operation): unknown[] {
  const json = requestBody?.content["application/json"];
  return json?.examples ? Object.values(json.examples).map(({ value }) => value) : [json?.example];
}

export function resolve<Node>(contract: Contract, node: Node | Reference): Node {
  if (!(typeof node === "object" && node !== null && "$ref" in node)) return node as Node;
  return node.$ref
    .slice(2)
    .split("/")
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[key], contract) as Node;
}
