/** Conditions of a subscription for fields of events: what may be written, and how PostgreSQL checks it. */
import { description, type EventType, eventTypes, type Schemas } from "@parley/contract";

type Condition = Schemas["FilterCondition"];
type Value = NonNullable<Condition["value"]> | null;

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  "x-extensible-enum"?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** What is wrong with a condition. */
export interface ConditionProblem {
  /** Member of the condition. */
  member: "field" | "value";
  problem: string;
  /** Names that may have been meant, if a name is unknown. */
  known?: { name: string; names: string[] };
}

/**
 * Returns what is wrong with a condition; undefined if events of all these types can be compared with it.
 *
 * @param types subscribed types, or `*` for all
 */
export function conditionProblem(
  condition: Condition,
  types: readonly string[],
): ConditionProblem | undefined {
  const isAll = types.includes("*");
  const all = isAll ? eventTypes : (types as EventType[]);
  const schemas: Schema[] = [];
  for (const type of all) {
    const found = findField(type, condition.field.split("."));
    if ("names" in found) {
      const fix = isAll ? "; list the event types that have it instead of *" : "";
      const problem = `"${condition.field}" is not a field of ${type}${fix}`;
      return { member: "field", problem, ...(!isAll && { known: found }) };
    }
    schemas.push(...found.schemas);
  }
  return valueProblem(condition, schemas);
}

/** Returns conditions in the form in which they are stored and compared: with each value, and times in UTC. */
export function normalizeConditions(conditions: readonly Condition[], types: readonly string[]): Condition[] {
  const all = types.includes("*") ? eventTypes : (types as EventType[]);
  return conditions.map(({ field, op, value = true }) => {
    const found = all.map((type) => findField(type, field.split(".")));
    const schemas = found.flatMap((one) => ("schemas" in one ? one.schemas : []));
    const isTime = schemas.some(({ format }) => format === "date-time");
    const normalized = isTime && op !== "exists" ? inUtc(value) : value;
    return { field, op, value: normalized };
  });
}

/**
 * Returns a predicate of PostgreSQL's JSON path language that is true for the bodies that meet all conditions. Strings and names are
 * JSON strings, which are also strings of this language. In its default mode `lax`, a comparison with a list compares each item.
 */
export function conditionsPath(conditions: readonly Condition[]): string {
  return conditions.map((condition) => `(${predicate(condition)})`).join(" && ");
}

function predicate({ field, op, value }: Condition): string {
  const path = `$.${field
    .split(".")
    .map((name) => JSON.stringify(name))
    .join(".")}`;
  const meets = (comparison: string) => `exists(${path} ? (${comparison}))`;
  // Not a filter, because a filter compares the items of a list, of which there may be none.
  const present = `(exists(${path}) && !(${path} == null))`;
  switch (op) {
    case "equals":
      return equals(value ?? null);
    case "not_equals":
      return `!(${equals(value ?? null)})`;
    case "in":
      return (value as Value[]).map(equals).join(" || ");
    case "greater":
      return meets(`@ > ${JSON.stringify(value)}`);
    case "less":
      return meets(`@ < ${JSON.stringify(value)}`);
    case "exists":
      return value === false ? `!${present}` : present;
  }

  function equals(one: Value): string {
    return one === null ? `!${present}` : meets(`@ == ${JSON.stringify(one)}`);
  }
}

/** Finds the schemas that a field may have in the body of an event; if there are none, the first unknown name and the known ones. */
function findField(
  type: EventType,
  path: string[],
): { schemas: Schema[] } | { name: string; names: string[] } {
  let schemas = alternatives(
    description.webhooks[type].post.requestBody.content["application/json"].schema as Schema,
  );
  for (const name of path) {
    const members = schemas.flatMap((schema) => memberOf(schema, name));
    if (members.length === 0) {
      return { name, names: schemas.flatMap(({ properties = {} }) => Object.keys(properties)) };
    }
    schemas = members;
  }
  return { schemas };
}

/** Returns the schemas of a member of an object, or of the items of a list. */
function memberOf({ properties = {}, additionalProperties }: Schema, name: string): Schema[] {
  if (Object.hasOwn(properties, name)) return alternatives(properties[name] ?? {});
  if (additionalProperties === undefined || additionalProperties === false) return [];
  return additionalProperties === true ? [{}] : alternatives(additionalProperties);
}

/** Returns the schemas of which a value matches one, without references and lists. */
function alternatives(schema: Schema): Schema[] {
  const { $ref, allOf, anyOf, oneOf, items, ...rest } = schema;
  const others = [...(allOf ?? []), ...(anyOf ?? []), ...(oneOf ?? []), ...(items ? [items] : [])];
  if ($ref) others.push(resolve($ref));
  return others.length === 0 || rest.properties
    ? [rest, ...others.flatMap(alternatives)]
    : others.flatMap(alternatives);
}

function resolve(reference: string): Schema {
  const name = reference.slice("#/components/schemas/".length) as keyof typeof description.components.schemas;
  return description.components.schemas[name] as Schema;
}

/** @param schemas of the field in all subscribed types */
function valueProblem({ field, op, value }: Condition, schemas: Schema[]): ConditionProblem | undefined {
  const wrong = (problem: string): ConditionProblem => ({ member: "value", problem });
  if (op === "exists") {
    return value === undefined || typeof value === "boolean" ? undefined : wrong("must be true or false");
  }
  const expected = schemas.map(expectationOf).filter((one) => one !== undefined);
  if (expected.length === 0) {
    return { member: "field", problem: `"${field}" is an object, so that only exists can be used for it` };
  }
  const isOrder = op === "greater" || op === "less";
  const usable = isOrder ? expected.filter(({ hasOrder }) => hasOrder) : expected;
  if (usable.length === 0) {
    return {
      member: "field",
      problem: `"${field}" is neither a number nor a time, so that ${op} cannot be used for it`,
    };
  }
  if (value === undefined) return wrong("is required");
  if (Array.isArray(value) !== (op === "in")) {
    return wrong(
      op === "in" ? "must be a list of values" : "must be one value; for a list of values, use in",
    );
  }
  if (Array.isArray(value) && value.length === 0) return wrong("must contain at least one value");
  const accepts = (one: Value) =>
    one === null
      ? !isOrder
      : usable.some((expectation) => expectation.accepts(one) && !(isOrder && typeof one === "boolean"));
  if ([value].flat().every(accepts)) return undefined;
  const descriptions = [...new Set(usable.map(({ description }) => description))];
  return wrong(`must be ${descriptions.join(" or ")}, as "${field}" is`);
}

/** What a field is compared with. */
interface Expectation {
  description: string;
  /** Whether values are greater or less than others. */
  hasOrder?: boolean;
  accepts(value: Value): boolean;
}

const number: Expectation = {
  description: "a number",
  hasOrder: true,
  accepts: (value) => typeof value === "number" && Number.isFinite(value),
};
const time: Expectation = {
  description: "an RFC 3339 timestamp with Z or an offset",
  hasOrder: true,
  accepts: (value) => typeof value === "string" && timestamp.test(value) && isStorable(new Date(value)),
};
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
/** Whether it is a time of the years 0 to 9999 in UTC, so that times are in the order of their texts. */
const isStorable = (date: Date) => !Number.isNaN(date.getTime()) && date.toISOString().length === 24;
const boolean: Expectation = { description: "true or false", accepts: (value) => typeof value === "boolean" };
/** For members that the contract does not describe, such as answers to qualification questions. */
const anything: Expectation = {
  description: "a text, a number, true or false",
  hasOrder: true,
  accepts: (value) => typeof value !== "number" || Number.isFinite(value),
};

/** Returns undefined for an object and for null, which every field is compared with. */
function expectationOf(schema: Schema): Expectation | undefined {
  const types = [schema.type].flat().filter((type) => type !== "null");
  const names = schema.enum ?? schema["x-extensible-enum"];
  if (names) return { description: `one of ${names.join(", ")}`, accepts: (value) => names.includes(value) };
  if (types.includes("number") || types.includes("integer")) return number;
  if (types.includes("boolean")) return boolean;
  if (types.includes("string")) {
    return schema.format === "date-time"
      ? time
      : { description: "a text", accepts: (value) => typeof value === "string" };
  }
  return types.includes("object") || schema.type === "null" ? undefined : anything;
}

function inUtc(value: Value): Value {
  if (Array.isArray(value)) return value.map((one) => inUtc(one) as Exclude<Value, unknown[]>);
  // Another type may have the field as text, so that the value need not be a time.
  return typeof value === "string" && time.accepts(value) ? new Date(value).toISOString() : value;
}
