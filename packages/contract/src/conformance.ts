import type { ValidateFunction } from "ajv";
import { createAjv } from "./ajv.ts";
import { description, pages } from "./description.ts";
import { findOperation } from "./routes.ts";

/** Response of the server, with method and path of its request. */
export interface ReceivedResponse {
  method: string;
  /** Path of the request, without the query. */
  path: string;
  status: number;
  contentType: string | null;
  headers: Headers;
  body: string;
}

interface ResponseObject {
  $ref?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: object }>;
}

const ajv = createAjv({ useDefaults: false, allErrors: true });
const documents = { api: description, pages } as const;
type Document = keyof typeof documents;
for (const [name, document] of Object.entries(documents)) ajv.addSchema(closed(document) as object, name);
const compiled = new Map<string, ValidateFunction>();

/**
 * Compares the status, content type, headers and body of a response with the contract. The body of a response to an
 * unknown route or method must be an error body.
 *
 * @returns one sentence for each difference; empty if the response conforms
 */
export function checkResponse(received: ReceivedResponse): string[] {
  const operation = findOperation(received.method, received.path);
  if (!operation) return checkBody("api#/components/schemas/ApiError", received);

  const { path, method } = operation;
  const pointer = `#/paths/${escapePointer(path)}/${method.toLowerCase()}/responses/${received.status}`;
  const document = at("api", `#/paths/${escapePointer(path)}/${method.toLowerCase()}`) ? "api" : "pages";
  const found = resolve(document, pointer);
  if (!found) return [`${operation.operationId} has no response ${received.status} in the contract`];

  const [place, response] = found;
  const problems = checkHeaders(Object.keys(response.headers ?? {}), received);
  const content = Object.keys(response.content ?? {});
  const mediaType = received.contentType?.split(";")[0] ?? "";
  if (content.length === 0) return received.body === "" ? problems : [...problems, "body must be empty"];
  if (!content.includes(mediaType))
    return [...problems, `content type must be ${content.join(" or ")} (received ${mediaType || "none"})`];
  if (mediaType !== "application/json") return problems;
  return [
    ...problems,
    ...checkBody(`${document}${place}/content/${escapePointer(mediaType)}/schema`, received),
  ];
}

/**
 * Validates the JSON body of a webhook against the schema of its event type.
 *
 * @returns one sentence for each difference; empty if the body conforms
 */
export function checkEvent(type: string, body: unknown): string[] {
  const pointer = `#/webhooks/${escapePointer(type)}/post/requestBody/content/application~1json/schema`;
  return errorsOf(validator(`api${pointer}`), body);
}

/**
 * Returns the OpenAPI description without room for unknown members and values: `additionalProperties` is false unless it is
 * set, and `x-extensible-enum` is an `enum`. Clients must accept unknown members and values, but the server must not send
 * them.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closed(value)]),
  );
  if ("x-extensible-enum" in copy) copy["enum"] = copy["x-extensible-enum"];
  return "properties" in copy ? { additionalProperties: false, ...copy } : copy;
}

function checkHeaders(declared: string[], { status, headers }: ReceivedResponse): string[] {
  const missing = declared
    .filter((name) => (status < 300 ? !/^(idempotent-replayed)$/i.test(name) : isAlwaysSent(name)))
    .filter((name) => !headers.has(name));
  const known = new Set(declared.map((name) => name.toLowerCase()));
  const undeclared = [...headers.keys()].filter((name) => !known.has(name) && !general.test(name));
  return [
    ...missing.map((name) => `header ${name} is missing`),
    ...undeclared.map((name) => `header ${name} is not declared`),
  ];
}

/** Headers of HTTP, CORS and pages, which the contract does not declare for each response. */
const general =
  /^(cache-control|connection|content-.+|date|keep-alive|pragma|transfer-encoding|vary|access-control-.+|set-cookie|referrer-policy|x-content-type-options|x-frame-options)$/;

/** Other headers depend on the authentication scheme, the rate limit and the idempotency key. */
function isAlwaysSent(header: string): boolean {
  return !/^(www-authenticate|idempotent-replayed|(x-)?ratelimit.*)$/i.test(header);
}

function checkBody(pointer: string, received: ReceivedResponse): string[] {
  try {
    return errorsOf(validator(pointer), JSON.parse(received.body));
  } catch (error) {
    if (error instanceof SyntaxError) return [`body is not JSON: ${received.body.slice(0, 200)}`];
    throw error;
  }
}

function errorsOf(validate: ValidateFunction, body: unknown): string[] {
  return validate(body) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath || "body"} ${e.message}`);
}

function validator(pointer: string): ValidateFunction {
  let validate = compiled.get(pointer);
  if (!validate) {
    validate = ajv.compile({ $ref: pointer });
    compiled.set(pointer, validate);
  }
  return validate;
}

/** Returns the pointer to the definition of a response, and the response. Follows one `$ref`. */
function resolve(document: Document, pointer: string): [string, ResponseObject] | undefined {
  const response = at(document, pointer) as ResponseObject | undefined;
  if (!response) return undefined;
  return response.$ref ? [response.$ref, at(document, response.$ref) as ResponseObject] : [pointer, response];
}

function at(document: Document, pointer: string): unknown {
  return pointer
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (node, key) => (node as Record<string, unknown> | undefined)?.[key],
      documents[document],
    );
}

function escapePointer(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}
