import { find, type Schema, type SiteContract, schemaName } from "./contract.ts";
import { addressOf, table } from "./page.ts";

const deepest = 4;

/**
 * Returns a Markdown table of the fields of a schema, with the fields of nested objects as `contact.email`.
 *
 * @param isRequest whether to mark the fields that a request must contain; otherwise fields that may be missing are marked
 */
export function fieldTable(contract: SiteContract, schema: Schema, isRequest = false): string {
  const rows = rowsOf(contract, schema, "", [], deepest).map(({ path, type, isRequired, description }) => {
    const mark = isRequest && isRequired ? ", required" : !isRequest && !isRequired ? ", optional" : "";
    return [`\`${path}\``, type + mark, description];
  });
  return table(["Field", "Type", "Description"], rows);
}

interface Field {
  path: string;
  type: string;
  isRequired: boolean;
  description: string;
}

function rowsOf(
  contract: SiteContract,
  schema: Schema,
  prefix: string,
  parents: string[],
  depth: number,
): Field[] {
  const name = schemaName(schema);
  if (depth === 0 || (name !== undefined && parents.includes(name))) return [];
  const known = name === undefined ? parents : [...parents, name];
  const { properties = {}, required = [], allOf = [], items } = find(contract, schema as never) as Schema;
  return [
    ...allOf.flatMap((part) => rowsOf(contract, part, prefix, known, depth)),
    ...Object.entries(properties).flatMap(([field, value]) => {
      const path = `${prefix}${field}`;
      const resolved = find(contract, value as never) as Schema;
      const type = typeOf(contract, value);
      const description = value.description ?? resolved.description ?? "";
      const nested = resolved.items ?? resolved;
      const inner = rowsOf(
        contract,
        nestedOf(value, nested),
        `${path}${resolved.items ? "[]" : ""}.`,
        known,
        depth - 1,
      );
      return [
        {
          path,
          type,
          isRequired: required.includes(field),
          description: description + limitsOf(resolved, description),
        },
        ...inner,
      ];
    }),
    ...(items ? rowsOf(contract, items, `${prefix}[].`, known, depth - 1) : []),
  ];
}

/** Returns the reference if there is one, so that a cycle is noticed. */
function nestedOf(value: Schema, resolved: Schema): Schema {
  return value.$ref !== undefined && resolved.items === undefined && resolved.properties ? value : resolved;
}

/** Returns the type of a schema as Markdown, with a link to a named schema. */
export function typeOf(contract: SiteContract, schema: Schema): string {
  const name = schemaName(schema);
  const resolved = find(contract, schema as never) as Schema;
  const { type, format, items, anyOf, oneOf = anyOf, allOf, additionalProperties } = resolved;
  const values = resolved.enum ?? resolved["x-extensible-enum"];
  if (name !== undefined && (resolved.properties || oneOf || allOf))
    return `[${name}](${addressOf(`schemas/${name}`)})`;
  if (values !== undefined && values.length <= 8)
    return values.map((value) => `\`${JSON.stringify(value).replaceAll('"', "")}\``).join(", ");
  if (name !== undefined && values !== undefined) return `[${name}](${addressOf(`schemas/${name}`)})`;
  if (items) return `array of ${typeOf(contract, items)}`;
  if (oneOf) return oneOf.map((part) => typeOf(contract, part)).join(" or ");
  if (allOf?.[0]) return typeOf(contract, allOf[0]);
  const names = [type ?? (additionalProperties ? "object" : "any")].flat();
  return names
    .map((one) => (one === "string" && format !== undefined ? (formats[format] ?? one) : one))
    .join(" or ");
}

const formats: Record<string, string> = {
  uuid: "UUID",
  "date-time": "time",
  uri: "URL",
  email: "email address",
};

/** Maximum of a 32-bit integer, which is no limit that readers need to know. */
const largestInteger = 2 ** 31 - 1;

/** Returns the limits and the default of a value that its description does not contain, each after a space. */
export function limitsOf(
  { minimum, maximum, maxLength, default: standard }: Schema,
  description: string,
): string {
  const limits = [
    minimum !== undefined &&
    maximum !== undefined &&
    maximum < largestInteger &&
    !description.includes(String(maximum))
      ? `From ${minimum} to ${maximum}.`
      : "",
    maxLength !== undefined && !/characters/.test(description)
      ? `Up to ${maxLength.toLocaleString("en")} characters.`
      : "",
    standard !== undefined && !/default/i.test(description)
      ? `Default: \`${typeof standard === "string" ? standard : JSON.stringify(standard)}\`.`
      : "",
  ];
  return limits
    .filter(Boolean)
    .map((text) => ` ${text}`)
    .join("");
}
