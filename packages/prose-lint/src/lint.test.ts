import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lint } from "./lint.ts";
import { phrases } from "./terms.ts";

const messages = async (file: string, source: string) =>
  (await lint(file, source)).map(({ line, message }) => `${line}: ${message}`);

test.each(phrases)("reports %s", async (_pattern, instead, example) => {
  const problems = await messages("page.md", `Example: ${example}\n`);
  expect(problems).toEqual([expect.stringContaining(`use “${instead}” instead`)]);
});

/** The phrases in the first column of the style guide's table of constructions. */
const guide = readFileSync(join(import.meta.dirname, "../../../docs/style-guide.md"), "utf8");
const [, table = ""] = guide.split("| Don't write | Write |\n");
const rows = table.split("\n\n")[0]?.match(/^\| .*? \|/gm) ?? [];
const constructions = rows.flatMap((row) => [...row.matchAll(/`(.+?)`/g)].map(([, phrase = ""]) => phrase));

test.each(constructions)("reports a construction of the style guide: %s", async (phrase) => {
  expect(await messages("page.md", `Example: ${phrase}.\n`)).not.toEqual([]);
});

test("the style guide has constructions", () => expect(constructions.length).toBeGreaterThan(25));

test("accepts plain sentences, code and quotations", async () => {
  const page = "You receive pending deliveries again. The API alone uses `nobody`.\n\n> Nobody is told.\n";
  expect(await messages("page.md", page)).toEqual([]);
});

test("reports a phrase that continues on the next line", async () => {
  expect(await messages("page.md", "# Title\n\nA process of its\nown runs it.\n")).toHaveLength(1);
});

test("reports a sentence that is too long", async () => {
  const sentence = `${"word ".repeat(40)}end.`;
  expect(await messages("page.md", sentence)).toEqual([expect.stringContaining("exceeds the maximum")]);
});

describe("an OpenAPI file", () => {
  test("is checked in its titles, summaries and descriptions, and nowhere else", async () => {
    const contract = "summary: Nobody\nget:\n  description: |-\n    First.\n\n    Anew.\nexample: Nobody\n";
    expect(await messages("lead.yaml", contract)).toEqual([
      expect.stringMatching(/^1: .*Nobody/),
      expect.stringMatching(/^5: .*Anew/),
    ]);
  });
});

describe("code", () => {
  test("is checked in its comments, strings and test titles", async () => {
    const code = [
      "/**",
      " * Returns it anew.",
      " */",
      'const text = "nobody is here";',
      "// A comment of its",
      "// own.",
      'test("is told", () => `nobody is $' + "{text}`);",
    ].join("\n");
    const lines = (await lint("a.ts", code)).map(({ line }) => line);
    expect(lines).toEqual([2, 4, 5, 7, 7]);
  });

  test("is not checked in strings without a space, such as keys", async () => {
    expect(await messages("a.ts", 'const a = ["nobody", "told"];')).toEqual([]);
  });

  test.each([
    ["a variable", "const openGate = 1;"],
    ["a function", "function drainAll() {}"],
    ["a type and its property", "type A = { doors: string };"],
    ["a private field", "class A { #pump = 1; }"],
    ["a parameter", "export default (room: string) => 1;"],
  ])("is checked for metaphors: %s", async (_name, code) => {
    expect(await messages("a.ts", code)).toEqual([expect.stringContaining("Metaphor")]);
  });

  test("is checked for metaphors: a file's name", async () => {
    expect(await messages("src/test-kit.ts", "")).toEqual([expect.stringContaining("Metaphor “kit”")]);
  });

  test("may use events and properties of others, and words that contain a metaphor", async () => {
    expect(await messages("a.ts", 'stream.once("drain", () => api.gate); const investigate = 1;')).toEqual(
      [],
    );
  });
});
