import { createAjv } from "@parley/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, invalidField } from "./api-error.ts";

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
