import type { Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** RFC 3339 section 5.6, with a `T` and an offset; years 1 to 9999, since others have no place in the database. */
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

function isDateTime(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return rfc3339.test(text) && year >= 1 && year <= 9999;
}

/**
 * A validator for JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 * `strict` is off because a description holds keywords that a validator doesn't know (`discriminator`, `example`).
 */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, useDefaults: true, removeAdditional: false, ...options });
  addFormats.default(ajv);
  ajv.addFormat("date-time", isDateTime);
  return ajv;
}
