import { createRequire } from "node:module";
import { basename } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import { extract, type Passage } from "./extract.ts";
import { longestSentence, metaphors, phrases } from "./terms.ts";

export type Problem = { line: number; message: string };

const require = createRequire(import.meta.url);
/** The rules have no types, and Node.js and vitest import the default export of CommonJS modules differently. */
const load = (name: string) => require(name).default;

const kernel = new TextlintKernel();
const terms = phrases.map(([pattern, instead]) => [
  pattern.startsWith("(?<") ? pattern : `(?:${pattern.replaceAll(" ", "\\s+")})`,
  instead,
]);

/** Checks the texts and identifiers of a file. */
export async function lint(file: string, source: string): Promise<Problem[]> {
  const { passages, identifiers } = extract(file, source);
  const problems = await lintPassages(file, passages);
  const names = new Map([[basename(file), 1]]);
  for (const { name, line } of identifiers) if (!names.has(name)) names.set(name, line);
  for (const [name, line] of names) {
    const metaphor = wordsOf(name).find((word) => metaphors.test(word));
    if (metaphor) problems.push({ line, message: `Metaphor “${metaphor}” in the name ${name}` });
  }
  return problems.sort((a, b) => a.line - b.line);
}

async function lintPassages(file: string, passages: Passage[]): Promise<Problem[]> {
  // One document for the whole file: each passage is a paragraph, and `lines` has the line that each line is from.
  const lines = passages.flatMap(({ line, markdown }) =>
    [...markdown.split("\n"), ""].map((text, index) => ({ text, line: line + index })),
  );
  const { messages } = await kernel.lintText(lines.map(({ text }) => text).join("\n"), {
    filePath: file,
    ext: ".md",
    plugins: [{ pluginId: "markdown", plugin: load("@textlint/textlint-plugin-markdown") }],
    rules: [
      {
        ruleId: "terminology",
        rule: load("textlint-rule-terminology"),
        options: { defaultTerms: false, terms },
      },
      {
        ruleId: "sentence-length",
        rule: load("textlint-rule-sentence-length"),
        options: { max: longestSentence },
      },
    ],
  });
  return messages.map(({ loc, message }) => ({
    line: lines[loc.start.line - 1]?.line ?? loc.start.line,
    message: message.replace(/^Line \d+ s/, "S").replaceAll("\n", " "),
  }));
}

/** Splits a name into its words, in lower case. */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}
