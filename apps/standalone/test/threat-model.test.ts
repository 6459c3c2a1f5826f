import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const text = readFileSync(join(root, "docs/operating/threat-model.md"), "utf8");
const [, boundaries = ""] = /^## Trust boundaries\n([\s\S]*?)^## /m.exec(text) ?? [];
const rows = [...boundaries.matchAll(/^\| (?!Threat|---)(.+?) \| (.+) \| (.+) \|$/gm)].map(
  ([, threat = "", , shownBy = ""]) => ({ threat, shownBy }),
);

const pathsIn = (cell: string) => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, path = ""]) => path);

test("has threats for each of the seven boundaries", () => {
  const headings = [...boundaries.matchAll(/^### (\d)\. /gm)].map(([, number]) => Number(number));
  expect(headings).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(rows.length).toBeGreaterThan(30);
});

test.each(rows)("names existing files that show the measure against: $threat", ({ shownBy }) => {
  const paths = pathsIn(shownBy);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
