import type { ValidateFunction } from "ajv";
import { createAjv } from "./ajv.ts";
import { description, pages } from "./description.ts";
import { findOperation } from "./routes.ts";

/** A response of the server, with the request that it answers. */
export interface Answer {
  method: string;
  /** Path of the request, without query. */
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
 * Compares a response with the contract: status, content type, headers and body. Responses of unknown routes and methods
 * must be errors.
 *
 * @returns the differences, for people; empty when the response conforms
 */
export function checkAnswer(answer: Answer): string[] {
  const operation = findOperation(answer.method, answer.path);
  if (!operation) return checkBody("api#/components/schemas/ApiError", answer);

  const { path, method } = operation;
  const pointer = `#/paths/${escapePointer(path)}/${method.toLowerCase()}/responses/${answer.status}`;
  const document = at("api", `#/paths/${escapePointer(path)}/${method.toLowerCase()}`) ? "api" : "pages";
  const found = resolve(document, pointer);
  if (!found) return [`${operation.operationId} has no response ${answer.status} in the contract`];

  const [place, response] = found;
  const problems = checkHeaders(Object.keys(response.headers ?? {}), answer);
  const content = Object.keys(response.content ?? {});
  const mediaType = answer.contentType?.split(";")[0] ?? "";
  if (content.length === 0) return answer.body === "" ? problems : [...problems, "the body should be empty"];
  if (!content.includes(mediaType))
    return [...problems, `content type is ${mediaType}, not ${content.join(" or ")}`];
  if (mediaType !== "application/json") return problems;
  return [
    ...problems,
    ...checkBody(`${document}${place}/content/${escapePointer(mediaType)}/schema`, answer),
  ];
}

/** Validates a webhook's JSON body against the schema of its event type. */
export function checkEvent(type: string, body: unknown): string[] {
  const pointer = `#/webhooks/${escapePointer(type)}/post/requestBody/content/application~1json/schema`;
  return errorsOf(validator(`api${pointer}`), body);
}

/**
 * Returns the description with every object closed that does not say otherwise, and every list of values closed: a response with a
 * member or a value that the contract does not name is a mistake of the server, although clients must accept it.
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

function checkHeaders(declared: string[], { status, headers }: Answer): string[] {
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

/** Headers of HTTP itself, of CORS and of pages. The contract does not repeat them for each response. */
const general =
  /^(cache-control|connection|content-.+|date|keep-alive|pragma|transfer-encoding|vary|access-control-.+|set-cookie|referrer-policy|x-content-type-options|x-frame-options)$/;

/** The others depend on which scheme was tried, whether the request was counted, and whether a key was used again. */
function isAlwaysSent(header: string): boolean {
  return !/^(www-authenticate|idempotent-replayed|x-ratelimit-.*)$/i.test(header);
}

function checkBody(pointer: string, answer: Answer): string[] {
  try {
    return errorsOf(validator(pointer), JSON.parse(answer.body));
  } catch (error) {
    if (error instanceof SyntaxError) return [`the body is not JSON: ${answer.body.slice(0, 200)}`];
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

/** Follows a response to where it is defined, one `$ref` at most. */
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
