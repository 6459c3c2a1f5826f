import { visible } from "./visible.ts";

/** Row of a table: cells by heading. */
export type Row = Record<string, string | number | boolean | Date | null>;

/** Formats rows as a table with headings. */
export function table(rows: Row[], whenEmpty: string): string {
  const [first] = rows;
  if (!first) return whenEmpty;
  const headings = Object.keys(first);
  const lines = rows.map((row) => headings.map((heading) => cell(row[heading] ?? null)));
  return align([headings.map((heading) => visible(heading.toUpperCase())), ...lines]);
}

/** Formats one record with a line per field. */
export function fields(row: Row): string {
  return align(Object.entries(row).map(([name, value]) => [visible(name), cell(value)]));
}

function align(lines: string[][]): string {
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cell(value: Row[string] | null): string {
  if (value === null || value === "") return "-";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (value instanceof Date) return `${value.toISOString().slice(0, 19).replace("T", " ")}Z`;
  return visible(String(value));
}
