import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const text = readFileSync(join(root, "docs/operating/threat-model.md"), "utf8");
const [, boundaries = ""] = /^## Trust boundaries\n([\s\S]*?)^## /m.exec(text) ?? [];
const rows = [...boundaries.matchAll(/^\| (?!Threat|---)(.+?) \| (.+) \| (.+) \|$/gm)].map(
  ([, threat = "", , shownBy = ""]) => ({ threat, shownBy }),
);

/** Files of a cell, each with the title of a test if the cell names one: `file`: title; `file`. */
const filesIn = (cell: string) =>
  [...cell.matchAll(/`([\w./-]+)`(?:: ([^;`]+))?/g)].map(([, path = "", title = ""]) => ({ path, title }));

test("has threats for each of the seven boundaries", () => {
  const headings = [...boundaries.matchAll(/^### (\d)\. /gm)].map(([, number]) => Number(number));
  expect(headings).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(rows.length).toBeGreaterThan(30);
});

/** Files that a tier of .config/vitest.config.ts runs. */
const isTestFile = (path: string) =>
  /^(apps|packages)\/[\w-]+\/(src|test)\/([\w-]+\/)*[\w-]+(\.(integration|e2e|drill|release))?\.test\.ts$/.test(
    path,
  );

test.each(rows)("names tests that show the measure against: $threat", ({ shownBy }) => {
  const files = filesIn(shownBy);
  expect(files.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
  const tests = files.filter(({ path }) => isTestFile(path));
  expect(tests).not.toEqual([]);
  for (const { path, title } of tests) {
    const source = readFileSync(join(root, path), "utf8");
    expect(source).toMatch(/^\s*(test|it)[\w.]*[(<]/m);
    expect(source).toContain(title.trim());
  }
});
