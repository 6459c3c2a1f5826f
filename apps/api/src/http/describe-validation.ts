import type { AnySchemaObject, ErrorObject } from "ajv";
import { closestMatch } from "leven";
import { ApiError } from "./api-error.ts";

/**
 * Returns the 400 for a request that does not match its schema, for Fastify's `schemaErrorFormatter`. The description
 * begins with the location of the value and says what is accepted: `query/limit must be an integer from 1 to 100`.
 */
export function validationError([first]: ErrorObject[], httpPart: string): ApiError {
  const part = httpPart === "querystring" ? "query" : httpPart;
  const message = first ? describeFailure(part, first) + plusHint(part, first) : `${part} is invalid`;
  return new ApiError(400, "invalid_request", message);
}

/**
 * Describes an error of Ajv.
 *
 * @param part path of the validated value in the request, for example `body`
 */
export function describeFailure(
  part: string,
  { keyword, instancePath, message, params, parentSchema }: ErrorObject,
): string {
  const at = `${part}${instancePath}`;
  switch (keyword) {
    case "required":
      return `${at}/${params["missingProperty"]} is required`;
    case "additionalProperties":
      return `${at}/${params["additionalProperty"]} is not a known field${suggestion(params["additionalProperty"], Object.keys(parentSchema?.["properties"] ?? {}))}`;
    case "enum":
      return `${at} must be one of ${params["allowedValues"].join(", ")}`;
    case "minimum": // The description gives the whole range.
    case "maximum":
    case "type":
      return `${at} must be ${describeRange(parentSchema ?? {})}`;
    case "format":
      return `${at} must be ${formats[params["format"]] ?? params["format"]}`;
    case "minLength":
      return params["limit"] === 1
        ? `${at} must not be empty`
        : `${at} must have at least ${params["limit"]} characters`;
    case "maxLength":
      return `${at} must have at most ${params["limit"]} characters`;
    case "pattern":
      return `${at} ${patterns[params["pattern"]] ?? message}`;
    case "minItems":
      return `${at} must have at least ${params["limit"]} item`;
    case "maxItems":
      return `${at} must have at most ${params["limit"]} items`;
    case "uniqueItems":
      return `${at} must not contain duplicates`;
    case "minProperties":
      return `${at} must contain at least one field to update`;
    case "maxProperties":
      return `${at} must have at most ${params["limit"]} fields`;
    default:
      return `${at} ${message}`;
  }
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
