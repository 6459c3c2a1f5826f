import { type Comment, parseSync, Visitor } from "oxc-parser";
import { isScalar, LineCounter, parseDocument, visit } from "yaml";

/** A text that people read, as Markdown, and the line of the file at which it starts. */
export type Passage = { line: number; markdown: string };

/** The texts and identifiers of a file. */
export type Content = { passages: Passage[]; identifiers: { line: number; name: string }[] };

/** Finds the texts and identifiers in a Markdown, YAML, JSON, TypeScript or JavaScript file. */
export function extract(file: string, source: string): Content {
  if (file.endsWith(".md")) return { passages: [{ line: 1, markdown: source }], identifiers: [] };
  if (/\.(?:yaml|json)$/.test(file)) return { passages: describedTexts(source), identifiers: [] };
  return readCode(file, source);
}

/** Finds `title`, `summary` and `description` of an OpenAPI or JSON file. */
function describedTexts(source: string): Passage[] {
  const lineCounter = new LineCounter();
  const passages: Passage[] = [];
  visit(parseDocument(source, { lineCounter }), {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isScalar(value) || typeof value.value !== "string") return;
      if (!/^(title|summary|description)$/.test(String(key.value))) return;
      passages.push({ line: lineCounter.linePos(value.range?.[0] ?? 0).line, markdown: value.value });
    },
  });
  return passages;
}

/** Finds the comments, the strings that contain a space, and the identifiers of a file. */
function readCode(file: string, source: string): Content {
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const lineAt = linesOf(source);
  const passages = joinLines(comments, source).map(({ start, text }) => ({
    line: lineAt(start),
    markdown: withoutTags(text.replace(/^[ \t]*\* ?/gm, "")),
  }));
  const identifiers: Content["identifiers"] = [];
  const addString = (start: number, text: string) => {
    if (!/\s/.test(text.trim())) return;
    // A heading is checked for phrases, not for the length of its sentences.
    passages.push({ line: lineAt(start), markdown: `# ${text.replace(/\s+/g, " ").trim()}` });
  };
  const addName = ({ start, name }: { start: number; name: string }) => {
    // What follows a dot may be the name of someone else's property.
    if (source[start - 1] !== ".") identifiers.push({ line: lineAt(start), name });
  };
  new Visitor({
    Literal: ({ start, value }) => typeof value === "string" && addString(start, value),
    TemplateLiteral: ({ start, quasis }) =>
      addString(start, quasis.map(({ value }) => value.cooked).join("X")),
    Identifier: addName,
    PrivateIdentifier: addName,
  }).visit(program);
  return { passages, identifiers };
}

/** Blanks the examples of a TSDoc comment, which are code, and makes each other tag a list item: a sentence ends there. */
function withoutTags(comment: string): string {
  return comment
    .replace(/^@example.*(\n(?!@).*)*/gm, (example) => example.replace(/.+/g, ""))
    .replace(/^@\w+/gm, "-");
}

/** Joins line comments that follow each other, since a sentence may span them. */
function joinLines(comments: Comment[], source: string): { start: number; text: string }[] {
  const joined: { start: number; end: number; text: string }[] = [];
  for (const { type, start, end, value } of comments) {
    const last = joined.at(-1);
    const follows = type === "Line" && last && /^\n[ \t]*$/.test(source.slice(last.end, start));
    if (follows) Object.assign(last, { end, text: `${last.text}\n${value}` });
    else joined.push({ start, end, text: value });
  }
  return joined;
}

/** Returns a function that finds the line of an offset. */
function linesOf(source: string): (offset: number) => number {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (const { index } of source.matchAll(/\n/g)) counter.addNewLine(index + 1);
  return (offset) => counter.linePos(offset).line;
}
