import { isDeepStrictEqual } from "node:util";
import type { References } from "../describe.ts";
import { type Kind, kinds } from "./kinds.ts";
import { type Item, type ItemType, type Kept, type Model, nameOf, type Result } from "./model.ts";

type Values = Record<string, unknown>;

/** Writes the item to the model as the contract says, with the events that follow. The server has no part in this. */
export function write(model: Model, { type, external_id, attributes }: Item): Result {
  const { merges, ...kind } = kinds[type];
  const record = model.find(nameOf(type, external_id));
  const references = referencesOf(kind.references, attributes);
  if (Object.values(references).some((name) => name !== null && !model.find(name))) return "failed";

  const given = without(attributes, (field) => field.endsWith("_external_id"));
  const changed = record
    ? differing({ ...record.attributes, ...record.references }, { ...given, ...references })
    : {};
  if (kind.fixed.some((field) => field in changed)) return "failed";
  if (kind.refuses?.(given, record, references, model)) return "failed";

  const base = record?.attributes ?? kind.defaults;
  const values = kind.normalize?.(given, record, references, model) ?? given;
  if (merges) values[merges] = { ...(base[merges] as object), ...(values[merges] as object) };
  if (!record) {
    const stored = { ...base, ...without(values) };
    const created = create(model, kind, nameOf(type, external_id), stored, references);
    kind.publish?.(model, created, undefined);
    return "created";
  }
  const previous = { ...differing(record.attributes, values), ...differing(record.references, references) };
  if (Object.keys(previous).length === 0) return "unchanged";
  Object.assign(record.attributes, without(values));
  Object.assign(record.references, references);
  kind.publish?.(model, record, previous);
  return "updated";
}

function create(
  model: Model,
  { references: kinds, inherits = [] }: Kind,
  name: string,
  attributes: Values,
  references: References,
): Kept {
  const parent = model.find(references[`${kinds[0]}_id`]);
  const none = kinds.map((kind) => [`${kind}_id`, null]);
  const inherited = inherits.map((field) => [field, parent?.references[field] ?? null]);
  const all = { ...Object.fromEntries([...none, ...inherited]), ...references };
  const record: Kept = { name, attributes, references: all, reached: new Set(), said: [] };
  model.keep(record);
  return record;
}

/** Names of the records that the item refers to; null where it refers to none any more. */
function referencesOf(kinds: ItemType[], attributes: Values): References {
  const ids = kinds.map((kind) => [kind, attributes[`${kind}_external_id`]] as const);
  return Object.fromEntries(
    ids
      .filter(([, id]) => id !== undefined)
      .map(([kind, id]) => [`${kind}_id`, typeof id === "string" ? nameOf(kind, id) : null]),
  );
}

/** Old values of what differs. */
function differing(old: Values, given: Values): Values {
  const fields = Object.keys(without(given)).filter((field) => !isDeepStrictEqual(given[field], old[field]));
  return Object.fromEntries(fields.map((field) => [field, old[field]]));
}

/** The values that are given, apart from some fields. */
function without(values: Values, excluded: (field: string) => boolean = () => false): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== undefined && !excluded(field)),
  );
}
