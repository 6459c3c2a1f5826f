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

/** A filter for polling. */
export const sinceField = field("since", "Updated Since", {
  type: "dateTime",
  description: "Only records updated at or after this time",
});

/** Moves the fields with these names to the object `member`, if there are any. */
export function nest(fields: IDataObject, member: string, names: string[]): IDataObject {
  const entries = Object.entries(fields);
  const inner = entries.filter(([name]) => names.includes(name));
  const outer = Object.fromEntries(entries.filter(([name]) => !names.includes(name)));
  return inner.length > 0 ? { ...outer, [member]: Object.fromEntries(inner) } : outer;
}
