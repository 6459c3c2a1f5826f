import { fields, type Row, table } from "@parley/command-line";

type Json = Record<string, unknown>;

const gap = 2;

/**
 * Formats the records of a list as a table. Columns without values are left out, and on a terminal also the last columns that
 * do not fit.
 *
 * @param width - number of characters in a line
 */
export function recordTable(records: Json[], width: number): string {
  // All records of a list of records have the same type.
  const rows = records.map(({ type, ...record }) =>
    rowOf("attributes" in record ? record : { type, ...record }),
  );
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const used = names.filter((name) => rows.some((row) => row[name] !== null && row[name] !== undefined));
  let left = width;
  const shown = used.filter((name, index) => {
    const longest = Math.max(name.length, ...rows.map((row) => String(row[name] ?? "-").length));
    left -= longest + gap;
    return index === 0 || left + gap >= 0;
  });
  return table(
    rows.map((row) => Object.fromEntries(shown.map((name) => [name, row[name] ?? null]))),
    "No records.",
  );
}

/** Formats a record with a line per value. */
export function recordFields(record: Json): string {
  return fields(rowOf(record));
}

/** Returns the values of a record. Those of `attributes` are on the top level, and others have names such as `contact.email`. */
function rowOf({ attributes, ...rest }: Json, prefix = ""): Row {
  const row: Row = {};
  for (const [name, value] of Object.entries({ ...rest, ...(attributes as Json | undefined) })) {
    if (typeof value !== "object" || value === null) row[prefix + name] = value as Row[string];
    else if (Array.isArray(value)) row[prefix + name] = value.map(textOf).join(", ");
    else Object.assign(row, rowOf(value as Json, `${prefix}${name}.`));
  }
  return row;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
