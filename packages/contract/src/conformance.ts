import type { ValidateFunction } from "ajv";
import { createAjv } from "./ajv.ts";
import { description } from "./description.ts";
import { findOperation } from "./routes.ts";

/** What a server answered. */
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

/** Events extend it, see `closed`. */
const envelope = description.components.schemas.EventEnvelope;

const ajv = createAjv({ useDefaults: false, allErrors: true });
ajv.addSchema(closed(description) as object, "contract");
const compiled = new Map<string, ValidateFunction>();

/**
 * Compares an answer with the contract: status, content type, headers and body.
 * Answers outside every operation (unknown routes and methods) must be errors of specification §7.
 *
 * @returns what is wrong, in words; empty when the answer conforms
 */
export function checkAnswer(answer: Answer): string[] {
  const operation = findOperation(answer.method, answer.path);
  if (!operation) return checkBody("#/components/schemas/Error", answer);

  const pointer = `#/paths/${escapePointer(operation.path)}/${operation.method.toLowerCase()}/responses/${answer.status}`;
  const found = resolve(pointer);
  if (!found) return [`${operation.operationId} has no response ${answer.status} in the contract`];

  const [at, response] = found;
  const problems = checkHeaders(Object.keys(response.headers ?? {}), answer);
  const content = Object.keys(response.content ?? {});
  const mediaType = answer.contentType?.split(";")[0] ?? "";
  if (content.length === 0) return answer.body === "" ? problems : [...problems, "the body should be empty"];
  if (!content.includes(mediaType))
    return [...problems, `content type is ${mediaType}, not ${content.join(" or ")}`];
  if (mediaType !== "application/json") return problems;
  return [...problems, ...checkBody(`${at}/content/${escapePointer(mediaType)}/schema`, answer)];
}

/** Validates a webhook's JSON body against the schema of its event type. */
export function checkEvent(type: string, body: unknown): string[] {
  const pointer = `#/webhooks/${escapePointer(type)}/post/requestBody/content/application~1json/schema`;
  return errorsOf(validator(pointer), body);
}

/**
 * The description with every object closed that does not say otherwise: an answer with a member that the contract does
 * not know is a mistake, though clients must bear it. Parts of an `allOf` describe the same object, so they stay open.
 */
function closed(node: unknown, partOfAllOf = false): unknown {
  if (Array.isArray(node)) return node.map((member) => closed(member, partOfAllOf));
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closed(value, key === "allOf")]),
  );
  const open = partOfAllOf || !("properties" in node) || "additionalProperties" in node || node === envelope;
  return open ? copy : { ...copy, additionalProperties: false };
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
    validate = ajv.compile({ $ref: `contract${pointer}` });
    compiled.set(pointer, validate);
  }
  return validate;
}

/** Follows a response to where it is written, one `$ref` at most. */
function resolve(pointer: string): [string, ResponseObject] | undefined {
  const response = at(pointer) as ResponseObject | undefined;
  if (!response) return undefined;
  return response.$ref ? [response.$ref, at(response.$ref) as ResponseObject] : [pointer, response];
}

function at(pointer: string): unknown {
  return pointer
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], description);
}

function escapePointer(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}
