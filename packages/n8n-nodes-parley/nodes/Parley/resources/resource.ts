import type { IDataObject, INodeProperties } from "n8n-workflow";

/** A kind of record that the node can read, by ID and as a list. */
export interface Resource {
  /** For example `lead`. */
  name: string;
  /** As in the API's paths, for example `leads`. */
  plural: string;
  filters: INodeProperties[];
  create?: { required: INodeProperties[]; optional: INodeProperties[] };
  /** Fields that can be updated. */
  update?: INodeProperties[];
  /** Converts the user's fields to the body of a request. */
  toBody?: (fields: IDataObject) => IDataObject;
}

export function field(
  name: string,
  displayName: string,
  more: Partial<INodeProperties> = {},
): INodeProperties {
  return { displayName, name, type: "string", default: "", ...more };
}

/** Returns a dropdown of the values of an enumeration. */
export function choice<Value extends string>(
  name: string,
  displayName: string,
  values: Record<Value, true>,
): INodeProperties {
  const options = Object.keys(values)
    .sort()
    .map((value) => ({ name: value.charAt(0).toUpperCase() + value.slice(1), value }));
  return field(name, displayName, { type: "options", options, default: options[0]?.value ?? "" });
}

export const emailField = field("email", "Email", { placeholder: "name@email.com" });

const time = (name: string, displayName: string, description: string) =>
  field(name, displayName, { type: "dateTime", description });

const sort = field("sort", "Sort", {
  type: "options",
  options: [
    { name: "Last Updated First", value: "-updated_at" },
    { name: "Least Recently Updated First", value: "updated_at" },
    { name: "Newest First", value: "-created_at" },
    { name: "Oldest First", value: "created_at" },
  ],
  default: "-updated_at",
});

/** Filters with a time, which the user enters in the time zone of the workflow. */
export const timeFilters = [
  time("created_after", "Created After", "Only records created at or after this time"),
  time("created_before", "Created Before", "Only records created before this time"),
  time("updated_before", "Updated Before", "Only records last updated before this time"),
  time("since", "Updated Since", "Only records updated at or after this time"),
];

/**
 * Returns the filters of a list, sorted by name, as n8n's lint rules require.
 *
 * @param search what the text of `q` is searched in
 * @param more filters that not all lists have
 */
export function filtersOf(search: string, ...more: INodeProperties[]): INodeProperties[] {
  const common = [
    field("external_id", "External ID", { description: "ID that the chatbot platform gave the record" }),
    field("q", "Search", { description: `Text of at least 3 characters in the ${search}` }),
    sort,
    ...timeFilters,
  ];
  return [...more, ...common].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

/** Moves the fields with these names to the object `member`, if there are any. */
export function nest(fields: IDataObject, member: string, names: string[]): IDataObject {
  const entries = Object.entries(fields);
  const inner = entries.filter(([name]) => names.includes(name));
  const outer = Object.fromEntries(entries.filter(([name]) => !names.includes(name)));
  return inner.length > 0 ? { ...outer, [member]: Object.fromEntries(inner) } : outer;
}
