import { description, type Schemas } from "@parley/contract";

/** A record as the platform writes it. */
export type Item = Schemas["BatchItem"];
export type ItemType = Item["type"];
export type Attributes<Type extends ItemType> = Extract<Item, { type: Type }>["attributes"];
export type Values = Record<string, unknown>;

/** A record with the API's attribute names. References are names of records instead of ids. */
export interface StoredRecord {
  name: string;
  values: Values;
  /** Messages of a conversation's visitor, in order. */
  visitorMessages: StoredRecord[];
  /** Start of the meeting that the last reminder was about. */
  remindedOf?: unknown;
}

/** The part of JSON Schema that is read here. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  minimum?: number;
  maximum?: number;
  allOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export function item<Type extends ItemType>(
  type: Type,
  external_id: string,
  attributes: Attributes<Type>,
): Item {
  return { type, external_id, attributes } as Item;
}

/** Returns the name under which the model knows a record, for example `lead/lead-17`. */
export function nameOf(type: string, externalId: string): string {
  return `${type}/${externalId}`;
}

/** Returns the contract's schema of the attributes that an item of this kind may have. */
export function itemSchema(type: ItemType): Required<Pick<Schema, "properties" | "required">> {
  return { properties: {}, required: [], ...schemaNamed(`Platform${pascalCase(type)}`) };
}

/** Returns the nullable attributes of a record that was never written, as the contract shows it: null, or a person without a name. */
export function emptyRecord(type: ItemType): Values {
  const attributes = schemaNamed(`${pascalCase(type)}Attributes`).properties ?? {};
  const empty: Values = {};
  for (const [name, schema] of Object.entries(attributes)) {
    const { properties, type, oneOf = [] } = resolve(schema);
    const isNullable = [type, ...oneOf.map((one) => one.type)].flat().includes("null");
    if (properties) empty[name] = Object.fromEntries(Object.keys(properties).map((key) => [key, null]));
    else if (isNullable || name.endsWith("_id")) empty[name] = null;
  }
  return empty;
}

function schemaNamed(name: string): Schema {
  return (description.components.schemas as object as Record<string, Schema>)[name] ?? {};
}

/** Follows a reference. */
export function resolve(schema: Schema): Schema {
  const { $ref } = schema.allOf?.[0] ?? schema;
  return $ref ? schemaNamed($ref.slice("#/components/schemas/".length)) : schema;
}

function pascalCase(type: string): string {
  return type.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
