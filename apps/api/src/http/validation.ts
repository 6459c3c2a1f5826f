import { createAjv, description } from "@parley/contract";
import type { AnySchemaObject } from "ajv";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, invalidField } from "./api-error.ts";
import { describeFailure, describeRange } from "./describe-validation.ts";

/** What comes as text (query, path, headers, forms) is converted to the type that the contract asks for; JSON is not. */
const coercing = createAjv({ coerceTypes: true, verbose: true });
const exact = createAjv({ coerceTypes: false, verbose: true });

/** Validates requests against the contract's schemas, JSON Schema 2020-12. */
export function validateByContract(app: FastifyInstance): void {
  app.setValidatorCompiler<AnySchemaObject>(({ schema, httpPart, contentType }) => {
    if (httpPart === "headers") return coercing.compile(withLowerCaseNames(schema));
    const isText = httpPart !== "body" || contentType === "application/x-www-form-urlencoded";
    return (isText ? coercing : exact).compile(schema);
  });

  app.addHook("preValidation", async (request) => {
    requireBody(request);
    refuseOtherNumerals(request);
    for (const part of ["params", "query"] as const) refuseUnstorable(request[part], part);
    if (!leavesItemsToHandler(bodySchemas(request))) refuseUnstorable(request.body, "body");
  });
}

/**
 * What the contract marks with `x-checked-one-by-one` is taken as it comes: its handler checks each item with
 * `createItemCheck`, so that a bad one does not refuse the others.
 */
export function leaveItemsToHandlers(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  if (oneByOne in schema) Reflect.deleteProperty(schema, "items");
  for (const member of Object.values(schema)) leaveItemsToHandlers(member);
}

const oneByOne = "x-checked-one-by-one";

function leavesItemsToHandler({ content }: AnySchemaObject): boolean {
  const properties: Record<string, object> = content?.["application/json"]?.schema?.properties ?? {};
  return Object.values(properties).some((member) => oneByOne in member);
}

/**
 * Checks a value against a schema of the contract, as bodies are.
 *
 * @param pointer to the schema, for example `#/components/schemas/Lead`
 * @returns a function that throws ApiError 400 when `value`, which stands `at` that place of the request, does not pass
 */
export function createItemCheck(pointer: string): (value: unknown, at: string) => void {
  if (!exact.getSchema("contract")) exact.addSchema(description, "contract");
  const validate = exact.compile({ $ref: `contract${pointer}` });
  return (value, at) => {
    refuseUnstorable(value, at);
    const failure = validate(value) ? undefined : validate.errors?.[0];
    if (failure) throw new ApiError(400, "invalid_request", describeFailure(at, failure));
  };
}

/** Node gives header names in lower case; with a validator of our own Fastify leaves the schema's as they are. */
function withLowerCaseNames({ properties = {}, required = [], ...schema }: AnySchemaObject): AnySchemaObject {
  const lowerCase = Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...schema,
    properties: Object.fromEntries(lowerCase),
    required: required.map((name: string) => name.toLowerCase()),
  };
}

/** Fastify skips validation when the body is missing or its content type is not declared. */
function requireBody(request: FastifyRequest): void {
  const declared = acceptedMediaTypes(request);
  if (declared.length === 0) return;
  if (request.body === undefined && request.routeOptions.config.operation?.hasOptionalBody) {
    request.body = {};
    request.headers["content-type"] ??= "application/json"; // Fastify validates by it.
    return;
  }
  const mediaType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (mediaType === undefined || !declared.includes(mediaType)) throw unsupportedMediaType(request);
  if (request.body === undefined || request.body === null) {
    throw invalidField("body", "is required and must be a JSON object");
  }
}

function bodySchemas(request: FastifyRequest): AnySchemaObject {
  return request.routeOptions.schema?.body ?? {};
}

function acceptedMediaTypes(request: FastifyRequest): string[] {
  return Object.keys(bodySchemas(request).content ?? {});
}

/** 415 with the content types that the operation takes. */
export function unsupportedMediaType(request: FastifyRequest): ApiError {
  const accepted = acceptedMediaTypes(request);
  const words =
    accepted.length > 0 ? `Content-Type must be ${accepted.join(" or ")}.` : "No body is expected here.";
  return new ApiError(415, "invalid_request", words);
}

/** Ajv would take `0x10`, `1e1` and ` 5` for integers. */
function refuseOtherNumerals(request: FastifyRequest): void {
  const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as AnySchemaObject;
  for (const [name, schema] of Object.entries<AnySchemaObject>(properties)) {
    const value = (request.query as Record<string, unknown>)[name];
    if (schema.type !== "integer" || typeof value !== "string" || /^-?\d+$/.test(value)) continue;
    throw invalidField(`query/${name}`, `must be ${describeRange(schema)}`);
  }
}

const maxDepth = 32;

/** PostgreSQL holds neither NUL nor unpaired surrogates, JSON no infinity, and nobody needs values within values without end. */
function refuseUnstorable(value: unknown, path: string, depth = 0): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed()) {
      throw invalidField(path, "holds a NUL character or half of a surrogate pair");
    }
  } else if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidField(path, "is too large a number");
  } else if (typeof value === "object" && value !== null) {
    if (depth === maxDepth) throw invalidField(path, `is nested more than ${maxDepth} levels deep`);
    for (const [key, member] of Object.entries(value)) {
      refuseUnstorable(key, path);
      refuseUnstorable(member, `${path}/${key}`, depth + 1);
    }
  }
}
