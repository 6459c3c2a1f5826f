import type { Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const rfc3339 = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/i;

/** As PostgreSQL takes it; that of ajv-formats may begin with `urn:uuid:`. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * RFC 3339 section 5.6, with a `T` and an offset of less than 15 hours. Years 1 to 9999, since others have no place in the
 * database, and days that exist: JavaScript takes February 30 for March 2.
 */
function isDateTime(text: string): boolean {
  const day = rfc3339.exec(text)?.[1];
  if (day === undefined || !new Date(day).toJSON()?.startsWith(day)) return false;
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/**
 * A validator for JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 * `strict` is off because a description holds keywords that a validator doesn't know (`discriminator`, `example`).
 */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, useDefaults: true, removeAdditional: false, ...options });
  addFormats.default(ajv);
  ajv.addFormat("date-time", isDateTime);
  ajv.addFormat("uuid", uuid);
  return ajv;
}
