import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../../docs/decisions");
const index = readFileSync(join(folder, "README.md"), "utf8");
const files = readdirSync(folder)
  .filter((file) => file !== "README.md")
  .sort();
const sections = ["Status", "Context", "Decision", "Consequences"];

test("decisions are numbered from 1 without gaps or duplicates", () => {
  const numbers = files.map((file) => /^(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]);
  expect(numbers).toEqual(files.map((_, position) => String(position + 1).padStart(4, "0")));
});

test("the index lists no other pages", () => {
  const listed = index.match(/^\| \d{4} \|/gm) ?? [];
  expect(listed).toHaveLength(files.length);
});

describe.each(files)("%s", (file) => {
  const text = readFileSync(join(folder, file), "utf8");

  test("has the four sections in order", () => {
    const found = [...text.matchAll(/^\*\*(\w+)\.\*\* \S/gm)].map(([, name]) => name);
    expect(found).toEqual(sections);
  });

  test("has at most 40 lines", () => expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(40));

  test("is in the index with its number, title and status", () => {
    const title = /^# (.+)/.exec(text)?.[1];
    const status = /^\*\*Status\.\*\* (\w+)/m.exec(text)?.[1];
    expect(index).toContain(`| ${file.slice(0, 4)} | [${title}](${file}) | ${status} |\n`);
  });
});
