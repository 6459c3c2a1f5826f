import { fields, type Row, table } from "@parley/command-line";

type Json = Record<string, unknown>;

const gap = 2;
/** Longest cell on a terminal. */
const longestCell = 32;

/**
 * Formats the records of a list as a table. Columns without values are left out, and IDs of other records are last. On a
 * terminal, long cells are cut, and the last line says how many columns do not fit.
 *
 * @param width - number of characters in a line
 */
export function recordTable(records: Json[], width: number): string {
  // All records of a list of records have the same type.
  const rows = records.map(({ type, ...record }) =>
    rowOf("attributes" in record ? record : { type, ...record }),
  );
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const used = names.filter((name) => rows.some((row) => (row[name] ?? null) !== null));
  const rank = (name: string) => (name === "id" ? 0 : /(^|\.|_)id$/.test(name) ? 2 : 1);
  const ordered = used.toSorted((a, b) => rank(a) - rank(b));
  const cut = (value: Row[string]) =>
    width < Infinity && typeof value === "string" && value.length > longestCell && !isUuid(value)
      ? `${value.slice(0, longestCell - 1)}…`
      : value;
  const cells = rows.map((row) => Object.fromEntries(ordered.map((name) => [name, cut(row[name] ?? null)])));
  let left = width + gap;
  const shown = ordered.filter((name, index) => {
    left -= Math.max(name.length, ...cells.map((row) => String(row[name] ?? "-").length)) + gap;
    return index === 0 || left >= 0;
  });
  const text = table(
    cells.map((row) => Object.fromEntries(shown.map((name) => [name, row[name] ?? null]))),
    "No records.",
  );
  const hidden = ordered.length - shown.length;
  return hidden === 0 ? text : `${text}\n\n${hidden} more ${hidden === 1 ? "column" : "columns"}: --json`;
}

function isUuid(text: string): boolean {
  return /^[\da-f-]{36}$/.test(text);
}

/** Formats a record with a line per value. The objects of a list have numbers, for example `attempts.1.status_code`. */
export function recordFields(record: Json): string {
  return fields(rowOf(record, { numbersObjects: true }));
}

/** Returns the values of a record. Those of `attributes` are on the top level, and others have names such as `contact.email`. */
function rowOf({ attributes, ...rest }: Json, { prefix = "", numbersObjects = false } = {}): Row {
  const row: Row = {};
  const nested = (name: string, value: unknown) =>
    Object.assign(row, rowOf(value as Json, { prefix: `${prefix}${name}.`, numbersObjects }));
  for (const [name, value] of Object.entries({ ...rest, ...(attributes as Json | undefined) })) {
    if (typeof value !== "object" || value === null) row[prefix + name] = value as Row[string];
    else if (!Array.isArray(value)) nested(name, value);
    else if (numbersObjects && value.some((item) => typeof item === "object" && item !== null)) {
      for (const [index, item] of value.entries()) nested(`${name}.${index + 1}`, item);
    } else row[prefix + name] = value.map(textOf).join(", ");
  }
  return row;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
