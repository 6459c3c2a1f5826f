import { createAjv, description } from "@parley/contract";
import type { AnySchemaObject, ValidateFunction } from "ajv";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { FastifyRouteSchemaDef } from "fastify/types/schema.js";
import { ApiError, invalidField } from "./api-error.ts";
import { describeRange, invalidValue, suggestion } from "./describe-validation.ts";
import { checkValues } from "./stored-values.ts";

/**
 * Converts text (query, path, headers, forms) to the contract's types, and a parameter that is sent once to a list where the contract has
 * one. JSON bodies are not converted.
 */
const coercing = createAjv({ coerceTypes: "array", verbose: true });
const exact = createAjv({ coerceTypes: false, verbose: true });

/** Validators by their schemas, which all servers of a process share (contract-routes.ts). */
const validators = new WeakMap<AnySchemaObject, ValidateFunction>();

/** Validates requests against the contract's schemas, JSON Schema 2020-12. */
export function validateByContract(app: FastifyInstance): void {
  app.setValidatorCompiler<AnySchemaObject>((part) => {
    const validate = validators.get(part.schema) ?? compileValidator(part);
    validators.set(part.schema, validate);
    return validate;
  });

  app.addHook("preValidation", async (request) => {
    requireBody(request);
    checkQueryNames(request);
    checkIntegers(request);
    for (const part of ["params", "query"] as const) checkValues(request[part], part);
  });
}

function compileValidator({
  schema,
  httpPart,
  contentType,
}: FastifyRouteSchemaDef<AnySchemaObject>): ValidateFunction {
  if (httpPart === "headers") return coercing.compile(withLowerCaseNames(schema));
  const isText = httpPart !== "body" || contentType === "application/x-www-form-urlencoded";
  return (isText ? coercing : exact).compile(schema);
}

/**
 * Removes the item schema of arrays that the contract marks with `x-checked-one-by-one`. Their handler validates each item with
 * `createItemCheck`, so that an invalid item does not reject the others.
 */
export function leaveItemsToHandlers(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  if (oneByOne in schema) Reflect.deleteProperty(schema, "items");
  for (const member of Object.values(schema)) leaveItemsToHandlers(member);
}

const oneByOne = "x-checked-one-by-one";

/** Returns whether the handler of a request validates the items of its JSON body one by one. */
export function leavesItemsToHandler(request: FastifyRequest): boolean {
  const { content } = bodySchemas(request);
  const properties: Record<string, object> = content?.["application/json"]?.schema?.properties ?? {};
  return Object.values(properties).some((member) => oneByOne in member);
}

/**
 * Creates a check of a value against a schema of the contract, without type conversion.
 *
 * @param pointer JSON pointer of the schema, for example `#/components/schemas/Lead`
 * @returns a function that throws ApiError 400 if `value` is invalid; `at` is its path in the request
 */
export function createItemCheck(pointer: string): (value: unknown, at: string) => void {
  if (!exact.getSchema("contract")) exact.addSchema(description, "contract");
  const validate = exact.compile({ $ref: `contract${pointer}` });
  return (value, at) => {
    checkValues(value, at);
    const failure = validate(value) ? undefined : validate.errors?.[0];
    if (failure) throw invalidValue(at, failure);
  };
}

/** Converts header names to lower case, as in Node.js. Fastify does not do this with a custom validator. */
function withLowerCaseNames({ properties = {}, required = [], ...schema }: AnySchemaObject): AnySchemaObject {
  const lowerCase = Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...schema,
    properties: Object.fromEntries(lowerCase),
    required: required.map((name: string) => name.toLowerCase()),
  };
}

/** Requires a body of a declared content type. Fastify skips validation without one. */
function requireBody(request: FastifyRequest): void {
  const declared = acceptedMediaTypes(request);
  if (declared.length === 0) return;
  if (request.body === undefined && request.routeOptions.config.operation?.hasOptionalBody) {
    request.body = {};
    request.headers["content-type"] ??= "application/json"; // Fastify chooses the schema by this header.
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

/** Returns a 415 with the content types that the operation accepts. */
export function unsupportedMediaType(request: FastifyRequest): ApiError {
  const accepted = acceptedMediaTypes(request);
  const message =
    accepted.length > 0
      ? `Content-Type must be ${accepted.join(" or ")}.`
      : "This operation accepts no body.";
  return new ApiError(415, "invalid_request", message);
}

/** Rejects query parameters that the operation does not have. OAuth endpoints must ignore them, RFC 6749 section 3.1. */
function checkQueryNames({ query, routeOptions }: FastifyRequest): void {
  if (!routeOptions.config.operation?.scheme) return;
  const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as AnySchemaObject;
  const unknown = Object.keys(query as object).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  const message = `is not a known parameter${suggestion(unknown, Object.keys(properties))}`;
  throw invalidField(`query/${unknown}`, message);
}

/** Rejects `0x10`, `1e1` and ` 5`, which Ajv would convert to integers. */
function checkIntegers(request: FastifyRequest): void {
  const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as AnySchemaObject;
  for (const [name, schema] of Object.entries<AnySchemaObject>(properties)) {
    const value = (request.query as Record<string, unknown>)[name];
    if (schema.type !== "integer" || typeof value !== "string" || /^-?\d+$/.test(value)) continue;
    throw invalidField(`query/${name}`, `must be ${describeRange(schema)}`);
  }
}
