import type { Options, SchemaValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const rfc3339 = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/i;

/** UUID in the standard form. Unlike the format of ajv-formats, it does not accept the prefix `urn:uuid:`. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether the text is a `date-time` (RFC 3339, section 5.6) with a `T`, an offset of less than 15 hours, no leap second and
 * a year from 1 to 9999 in UTC, as the database can store. The day must exist: JavaScript parses February 30 as March 2.
 */
function isDateTime(text: string): boolean {
  const day = rfc3339.exec(text)?.[1];
  if (day === undefined || !new Date(day).toJSON()?.startsWith(day)) return false;
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/**
 * Creates a validator for JSON Schema 2020-12, the dialect of OpenAPI 3.1. It is not strict, because an OpenAPI description
 * contains keywords that a validator does not know (`discriminator`, `example`).
 */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, useDefaults: true, removeAdditional: false, ...options });
  addFormats.default(ajv);
  ajv.addFormat("date-time", isDateTime);
  ajv.addFormat("uuid", uuid);
  ajv.addKeyword({ keyword: "x-max-bytes", type: "object", schemaType: "number", validate: hasAtMostBytes });
  return ajv;
}

/** Checks the limit of a free-form object: bytes of its JSON without spaces, in UTF-8. */
const hasAtMostBytes: SchemaValidateFunction = (limit: number, value: object) => {
  const size = Buffer.byteLength(JSON.stringify(value));
  hasAtMostBytes.errors = [{ keyword: "x-max-bytes", params: { limit, size } }];
  return size <= limit;
};
