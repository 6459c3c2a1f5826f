import type { AnySchemaObject, ErrorObject } from "ajv";
import { closestMatch } from "leven";
import { type ApiError, invalidField } from "./api-error.ts";

/**
 * Returns the 400 for a request that does not match its schema, for Fastify's `schemaErrorFormatter`. The description
 * begins with the location of the value and says what is accepted: `query/limit must be an integer from 1 to 100`.
 */
export function validationError([first]: ErrorObject[], httpPart: string): ApiError {
  const part = httpPart === "querystring" ? "query" : httpPart;
  return first ? invalidValue(part, first, plusHint(part, first)) : invalidField(part, "is invalid");
}

/**
 * Returns the 400 for an error of Ajv.
 *
 * @param part path of the validated value in the request, for example `body`
 * @param hint text that follows the description
 */
export function invalidValue(part: string, failure: ErrorObject, hint = ""): ApiError {
  const { keyword, instancePath, params } = failure;
  const at = `${part}${instancePath}`;
  const problem = describeProblem(failure) + hint;
  if (keyword === "required") return invalidField(`${at}/${params["missingProperty"]}`, problem);
  if (keyword === "additionalProperties") {
    return invalidField(`${at}/${params["additionalProperty"]}`, problem);
  }
  return invalidField(at, problem);
}

function describeProblem({ keyword, message, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
      return `is not a known field${suggestion(params["additionalProperty"], Object.keys(parentSchema?.["properties"] ?? {}))}`;
    case "enum":
      return `must be one of ${params["allowedValues"].join(", ")}`;
    case "minimum": // The description gives the whole range.
    case "maximum":
    case "type":
      return `must be ${describeRange(parentSchema ?? {})}`;
    case "format":
      return `must be ${formats[params["format"]] ?? params["format"]}`;
    case "minLength":
      return params["limit"] === 1 ? "must not be empty" : `must have at least ${params["limit"]} characters`;
    case "maxLength":
      return `must have at most ${params["limit"]} characters`;
    case "pattern":
      return patterns[params["pattern"]] ?? `${message}`;
    case "minItems":
      return `must have at least ${params["limit"]} item`;
    case "maxItems":
      return `must have at most ${params["limit"]} items`;
    case "uniqueItems":
      return "must not contain duplicates";
    case "minProperties":
      return isChoice(parentSchema) ? mustBeOneOf(parentSchema) : "must contain at least one field to update";
    case "maxProperties":
      return isChoice(parentSchema)
        ? mustBeOneOf(parentSchema)
        : `must have at most ${params["limit"]} fields`;
    case "x-max-bytes":
      return `must be at most ${inBytes(params["limit"])} as JSON; it is ${inBytes(params["size"])}`;
    default:
      return `${message}`;
  }
}

function inBytes(count: number): string {
  return `${count.toLocaleString("en")} bytes`;
}

/** Checks whether an object has exactly one of its fields. */
function isChoice(schema: AnySchemaObject | undefined): boolean {
  return schema?.["minProperties"] === 1 && schema["maxProperties"] === 1;
}

function mustBeOneOf(schema: AnySchemaObject | undefined): string {
  return `must have exactly one of the fields ${Object.keys(schema?.["properties"] ?? {}).join(", ")}`;
}

/** Returns a question with the known name that is nearest to a misspelled one; empty if none is near. */
export function suggestion(name: string, known: string[]): string {
  if (!/\w/.test(name)) return "";
  // Two exchanged letters are a distance of 2.
  const nearest = closestMatch(name, known, { maxDistance: Math.ceil(name.length / 3) });
  return nearest === undefined ? "" : `. Did you mean ${nearest}?`;
}

/** Descriptions of the contract's patterns. */
const patterns: Record<string, string> = {
  "^[^.]+([.][^.]+)*$": "must be names with dots between them, for example data.attributes.score",
  "^[^\\x00-\\x1f\\x7f]*$": "must not contain control characters",
  "^[\\x21-\\x7e]+$": "must contain only printable ASCII characters and no spaces",
};

const formats: Record<string, string> = {
  "date-time": "an RFC 3339 timestamp with Z or an offset, for example 2026-03-01T09:00:00Z",
  email: "an email address",
  uri: "an absolute URL",
  uuid: "a UUID, for example 01928c5e-7a10-7c44-8d21-0b6de2f0a001",
};

/** Returns a hint if a `+` of a timestamp was not percent-encoded, so that it was decoded as a space. */
function plusHint(part: string, { keyword, data }: ErrorObject): string {
  const isSpaced = part === "query" && keyword === "format" && / \d{2}:\d{2}$/.test(String(data));
  return isSpaced ? " (percent-encode + as %2B in a query)" : "";
}

/** Describes type and range of a schema: `an integer from 1 to 100`. */
export function describeRange({ type = [], minimum, maximum }: AnySchemaObject): string {
  const kind = [type].flat().map(withArticle).join(" or ");
  if (minimum === undefined) return kind;
  return maximum === undefined ? `${kind} of at least ${minimum}` : `${kind} from ${minimum} to ${maximum}`;
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
