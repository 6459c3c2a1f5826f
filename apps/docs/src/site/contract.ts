import { resolve } from "../calls.ts";

/** The contract. Its members are in the form of OpenAPI 3.1. */
export interface SiteContract {
  info: { title: string; summary: string; description: string };
  tags: Tag[];
  "x-tagGroups": { name: string; tags: string[] }[];
  paths: Record<string, { parameters?: Reference<Parameter>[] } & Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
  };
}

export interface Tag {
  name: string;
  "x-displayName"?: string;
  "x-summary"?: string;
  description: string;
}

/** Group of tags. */
export interface TagGroup {
  name: string;
  tags: Tag[];
}

export type Reference<Value> = Value | { $ref: string };

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: Record<string, string[]>[];
  parameters?: Reference<Parameter>[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Reference<Response>>;
  "x-codeSamples"?: { lang: string; label: string; source: string }[];
}

export interface Response {
  description: string;
  headers?: Record<string, Reference<{ description: string }>>;
  content?: Record<string, Media>;
}

export interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  "x-extensible-enum"?: string[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  [other: string]: unknown;
}

/** Returns the groups of chapters. Other tags describe operations or events. */
export function guideGroups({ tags, "x-tagGroups": groups }: SiteContract): TagGroup[] {
  const chapters = tags.filter((tag) => "x-summary" in tag);
  return groups
    .map(({ name, tags: names }) => ({ name, tags: chapters.filter((tag) => names.includes(tag.name)) }))
    .filter((group) => group.tags.length > 0);
}

/** Follows references, if the value is one. */
export function find<Value>(contract: SiteContract, value: Reference<Value>): Value {
  const { $ref } = value as { $ref?: string };
  return $ref === undefined
    ? (value as Value)
    : find(contract, resolve<Reference<Value>>(contract as never, { $ref }));
}

/** An operation with its method in upper case and its path. */
export interface PathOperation {
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

const methods = ["get", "post", "put", "patch", "delete"];

/** Lists the operations in the order of the contract. */
export function listOperations(contract: SiteContract): PathOperation[] {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      const found = parameters.map((parameter) => find<Parameter>(contract, parameter));
      return [{ method: method.toUpperCase(), path, operation, parameters: found }];
    }),
  );
}

/** Returns the name of a referenced schema. */
export function schemaName({ $ref }: Schema): string | undefined {
  return $ref?.split("/").at(-1);
}

/** Returns the examples of the JSON body of a response. */
export function examplesOf({ content }: Response): unknown[] {
  const { example, examples = {} } = content?.["application/json"] ?? {};
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

/** Returns the error code of a body; undefined if it is not an error. */
export function errorCodeOf(body: unknown): string | undefined {
  return (body as { error?: string } | undefined)?.error;
}
