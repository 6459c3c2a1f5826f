import { createAjv } from "@parley/contract";
import type { ErrorObject } from "ajv";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, invalidField } from "./errors.ts";

/** What comes as text (query, path, headers, forms) is converted to the type that the contract asks for; JSON is not. */
const coercing = createAjv({ coerceTypes: true, verbose: true });
const exact = createAjv({ coerceTypes: false, verbose: true });

interface BodySchema {
  content?: Record<string, unknown>;
}

/** Validates requests against the contract's schemas, JSON Schema 2020-12. */
export function validateByContract(app: FastifyInstance): void {
  app.setValidatorCompiler<object & { content?: unknown }>(
    ({ schema, httpPart, contentType }: CompilerInput) =>
      (httpPart === "body" && contentType !== "application/x-www-form-urlencoded" ? exact : coercing).compile(
        schema,
      ),
  );

  app.addHook("preValidation", async (request) => {
    requireBody(request);
    for (const part of ["params", "query", "body"] as const) refuseUnstorableText(request[part], part);
  });
}

interface CompilerInput {
  schema: object;
  httpPart?: string;
  contentType?: string;
}

/** Fastify skips validation when the body is missing or its content type is not declared. */
function requireBody(request: FastifyRequest): void {
  const declared = acceptedMediaTypes(request);
  if (declared.length === 0) return;
  const mediaType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (mediaType === undefined || !declared.includes(mediaType)) throw unsupportedMediaType(request);
  if (request.body === undefined || request.body === null) {
    throw invalidField("body", "is required and must be a JSON object");
  }
}

function acceptedMediaTypes(request: FastifyRequest): string[] {
  return Object.keys((request.routeOptions.schema?.body as BodySchema | undefined)?.content ?? {});
}

/** 415 with the content types that the operation takes. */
export function unsupportedMediaType(request: FastifyRequest): ApiError {
  const accepted = acceptedMediaTypes(request);
  const words =
    accepted.length > 0 ? `Content-Type must be ${accepted.join(" or ")}.` : "No body is expected here.";
  return new ApiError(415, "invalid_request", words);
}

/** PostgreSQL holds neither NUL nor unpaired surrogates. */
function refuseUnstorableText(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed()) {
      throw invalidField(path, "holds a NUL character or half of a surrogate pair");
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      refuseUnstorableText(key, path);
      refuseUnstorableText(member, `${path}/${key}`);
    }
  }
}

/** Names the field, what was wrong and what is accepted. */
export function describeValidation(error: FastifyError, request: FastifyRequest): string {
  const [first] = error.validation as unknown as ErrorObject[];
  const part = error.validationContext === "querystring" ? "query" : (error.validationContext ?? "request");
  if (!first) return `${part} is invalid`;
  const at = `${part}${first.instancePath}`;
  const { params } = first as { params: Record<string, unknown> };
  switch (first.keyword) {
    case "required":
      return `${at}/${params["missingProperty"]} is required`;
    case "additionalProperties":
      return `${at}/${params["additionalProperty"]} is not a known field`;
    case "enum":
      return `${at} must be one of ${(params["allowedValues"] as string[]).join(", ")}`;
    case "minimum": // the range says it all, whichever bound was hit
    case "maximum":
    case "type":
      return `${at} must be ${rangeOf(first)}`;
    case "format":
      return `${at} must be ${formats[String(params["format"])] ?? params["format"]}${plusHint(first, request)}`;
    default:
      return `${at} ${first.message}`;
  }
}

const formats: Record<string, string> = {
  "date-time": "an RFC 3339 timestamp with Z or an offset, for example 2026-03-01T09:00:00Z",
  email: "an email address",
  uri: "an absolute URL",
  uuid: "an id of the form 01928c5e-7a10-7c44-8d21-0b6de2f0a001",
};

/** A `+` that was not percent-encoded in a query arrives as a space. */
function plusHint(error: ErrorObject, request: FastifyRequest): string {
  const name = error.instancePath.slice(1);
  const value = (request.query as Record<string, unknown> | undefined)?.[name];
  return typeof value === "string" && / \d{2}:\d{2}$/.test(value) ? " (write + as %2B in a query)" : "";
}

/** `an integer from 1 to 100`, taken from the schema that refused. */
function rangeOf(error: ErrorObject): string {
  const { type, minimum, maximum } = (error.parentSchema ?? {}) as Record<string, unknown>;
  const types = [type]
    .flat()
    .map((name) =>
      name === "integer" || name === "array" || name === "object" ? `an ${name}` : `a ${name}`,
    );
  const kind = types.join(" or ").replace("a null", "null").replace("an array", "an array");
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  return minimum === undefined ? kind : `${kind} of at least ${minimum}`;
}
