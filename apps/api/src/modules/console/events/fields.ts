import { description, type EventType } from "@parley/contract";

/** Field of an event. */
export interface EventField {
  /** Path with dots, for example `data.attributes.score`; `[]` follows the name of a list. */
  path: string;
  /** For example `integer or null`. */
  type: string;
  /** Markdown. */
  description: string;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  "x-extensible-enum"?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** Number of levels that are shown. No event has more. */
const maxDepth = 6;

/** Returns the fields of an event's body in the order of its schema. */
export function fieldsOf(type: EventType): EventField[] {
  const { schema } = description.webhooks[type].post.requestBody.content["application/json"];
  return membersOf(schema as Schema, "", 0);
}

function membersOf(schema: Schema, parent: string, depth: number): EventField[] {
  if (depth > maxDepth) return [];
  return parts(schema).flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, member]) => {
      const path = parent === "" ? name : `${parent}.${name}`;
      return [fieldOf(path, member), ...membersOf(member, path, depth + 1)];
    }),
    ...(items ? membersOf(items, `${parent}[]`, depth + 1) : []),
  ]);
}

function fieldOf(path: string, member: Schema): EventField {
  const all = parts(member);
  const types = all.flatMap(({ type = [] }) => type);
  const values = all
    .flatMap((part) => part.enum ?? part["x-extensible-enum"] ?? [])
    .filter((value) => value !== null);
  const shown = values.length > 0 && values.length <= 8 ? values.map(String) : types;
  const isNullable = types.includes("null");
  const named = [...new Set(shown)].filter((name) => name !== "null");
  return {
    path,
    type: [...named, ...(isNullable ? ["null"] : [])].join(" or "),
    description: (member.description ?? all.find((part) => part.description)?.description ?? "").replaceAll(
      /\s+/g,
      " ",
    ),
  };
}

/** Returns a schema and the schemas that it combines, without references. */
function parts(schema: Schema): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [], $ref } = schema;
  const referred = $ref === undefined ? [] : [schemaAt($ref)];
  return [schema, ...[...referred, ...allOf, ...anyOf, ...oneOf].flatMap(parts)];
}

function schemaAt(reference: string): Schema {
  const schemas: Record<string, Schema> = description.components.schemas as Record<string, Schema>;
  return schemas[reference.split("/").at(-1) ?? ""] ?? {};
}
