import { expect, test } from "vitest";
import { apiVersion, description } from "./index.ts";

/** What the largest value of a schema needs. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  maxItems?: number;
  maxLength?: number;
  pattern?: string;
  "x-extensible-enum"?: string[];
  "x-max-bytes"?: number;
}

const schemas = description.components.schemas as Record<string, Schema>;
const largest = 256 * 1024;

test("no event can be larger than 256 KiB", () => {
  const sizes = Object.entries(schemas)
    .filter(([name, { properties }]) => name.endsWith("Event") && properties?.["api_version"])
    .map(([name, schema]) => [name, sizeOf(schema, name)] as const);
  expect(sizes).toHaveLength(22);
  expect(sizes.filter(([, size]) => !(size > 0 && size <= largest))).toEqual([]);
});

/** Returns the bytes of the largest JSON value. @param name of the schema that has the value's limits */
function sizeOf(schema: Schema, name: string, member = ""): number {
  const { $ref, oneOf, properties, items, type = [] } = schema;
  if ($ref !== undefined) {
    const referred = $ref.slice($ref.lastIndexOf("/") + 1);
    if (referred === "ApiVersion") return bytesOf(apiVersion);
    return sizeOf(schemas[referred] ?? {}, referred, member);
  }
  if (oneOf) return Math.max(...oneOf.map((one) => sizeOf(one, name, member)));
  const values = schema["x-extensible-enum"] ?? schema.enum;
  if (values) return Math.max(...values.map((value) => bytesOf(value)));
  if (properties) return sizeOfObject(schema, name);
  const limited = inputs(name, member);
  const kinds = [type].flat();
  if (items) return (schema.maxItems ?? Number.NaN) * (sizeOf(items, name) + 1) + 2;
  if (kinds.includes("string")) {
    const size = Math.max(...[schema, ...limited].map(sizeOfText));
    if (size < 0) throw new Error(`${name} ${member} has no limit`);
    return size;
  }
  if (kinds.includes("object"))
    return Math.max(...limited.map((input) => input["x-max-bytes"] ?? Number.NaN));
  return 24; // A number.
}

/** Events have the members that every response has: not the messages of a conversation, which requests may include. */
function sizeOfObject({ properties = {}, required = [] }: Schema, name: string): number {
  const sizes = required.map((key) => {
    const member = properties[key] ?? {};
    const isPrevious = key === "previous_attributes";
    const described = isPrevious ? attributesOf(properties["data"]) : member;
    return bytesOf(key) + sizeOf(described, name, key) + 2;
  });
  return sizes.reduce((sum, size) => sum + size, 2);
}

/** Previous attributes have the members of the attributes. */
function attributesOf(data: Schema | undefined): Schema {
  const resource = data?.$ref?.slice(data.$ref.lastIndexOf("/") + 1) ?? "";
  return schemas[resource]?.properties?.["attributes"] ?? {};
}

/** Returns the schemas of a member in requests. Responses have no limits. */
function inputs(name: string, member: string): Schema[] {
  const resource = name.replace(/Attributes$/, "");
  const requests = [`${resource}Create`, `${resource}Update`, `${resource}Input`, `Platform${resource}`];
  return requests.flatMap((request) => {
    const input = schemas[request]?.properties?.[member];
    const referred = input?.$ref?.slice(input.$ref.lastIndexOf("/") + 1);
    return referred === undefined ? (input ?? []) : (schemas[referred] ?? []);
  });
}

/** JSON escapes a control character with six bytes; other characters have up to four. */
function sizeOfText({ format, maxLength, pattern }: Schema): number {
  if (format === "uuid" || format === "date-time") return 38;
  if (maxLength === undefined) return Number.NEGATIVE_INFINITY; // Another schema of the member must have the limit.
  if (format === "email") return maxLength + 2;
  return maxLength * (pattern?.includes("x00") ? 4 : 6) + 2;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
