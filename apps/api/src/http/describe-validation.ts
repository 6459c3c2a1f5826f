import type { AnySchemaObject, ErrorObject } from "ajv";
import { ApiError } from "./api-error.ts";

/**
 * Returns the 400 for a request that does not match its schema, as Fastify's `schemaErrorFormatter`. It names the field, what was
 * wrong and what is accepted: `query/limit must be an integer from 1 to 100`.
 */
export function validationError([first]: ErrorObject[], httpPart: string): ApiError {
  const part = httpPart === "querystring" ? "query" : httpPart;
  const words = first ? describeFailure(part, first) + plusHint(part, first) : `${part} is invalid`;
  return new ApiError(400, "invalid_request", words);
}

/** Describes what Ajv found wrong with a value that stands at `part`. */
export function describeFailure(
  part: string,
  { keyword, instancePath, message, params, parentSchema }: ErrorObject,
): string {
  const at = `${part}${instancePath}`;
  switch (keyword) {
    case "required":
      return `${at}/${params["missingProperty"]} is required`;
    case "additionalProperties":
      return `${at}/${params["additionalProperty"]} is not a known field`;
    case "enum":
      return `${at} must be one of ${params["allowedValues"].join(", ")}`;
    case "minimum": // The range says it all, whichever bound was hit.
    case "maximum":
    case "type":
      return `${at} must be ${describeRange(parentSchema ?? {})}`;
    case "format":
      return `${at} must be ${formats[params["format"]] ?? params["format"]}`;
    case "minLength":
      return params["limit"] === 1
        ? `${at} must not be empty`
        : `${at} must not be shorter than ${params["limit"]} characters`;
    case "maxLength":
      return `${at} must not be longer than ${params["limit"]} characters`;
    case "pattern":
      return `${at} ${patterns[params["pattern"]] ?? message}`;
    case "minItems":
      return `${at} must hold at least ${params["limit"]} value`;
    case "maxItems":
      return `${at} must hold at most ${params["limit"]} values`;
    case "uniqueItems":
      return `${at} must not hold a value twice`;
    case "minProperties":
      return `${at} must name at least one field to change`;
    case "maxProperties":
      return `${at} must have at most ${params["limit"]} fields`;
    default:
      return `${at} ${message}`;
  }
}

/** The patterns of the contract's inputs in words. */
const patterns: Record<string, string> = {
  "^[\\x21-\\x7e]+$": "must be visible ASCII characters without spaces",
};

const formats: Record<string, string> = {
  "date-time": "an RFC 3339 timestamp with Z or an offset, for example 2026-03-01T09:00:00Z",
  email: "an email address",
  uri: "an absolute URL",
  uuid: "an id of the form 01928c5e-7a10-7c44-8d21-0b6de2f0a001",
};

/** A `+` that was not percent-encoded in a query arrives as a space. */
function plusHint(part: string, { keyword, data }: ErrorObject): string {
  const isSpaced = part === "query" && keyword === "format" && / \d{2}:\d{2}$/.test(String(data));
  return isSpaced ? " (write + as %2B in a query)" : "";
}

/** `an integer from 1 to 100`. */
export function describeRange({ type = [], minimum, maximum }: AnySchemaObject): string {
  const kind = [type].flat().map(withArticle).join(" or ");
  if (minimum === undefined) return kind;
  return maximum === undefined ? `${kind} of at least ${minimum}` : `${kind} from ${minimum} to ${maximum}`;
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
