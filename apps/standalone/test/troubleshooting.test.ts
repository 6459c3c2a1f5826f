import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(repository, "docs/operating/troubleshooting.md"), "utf8");

/** Sources with their concatenated literals joined, and with `…` for each value. */
const sources = globSync(["{apps,packages}/*/src/**/*.{ts,tsx,mjs}"], {
  cwd: repository,
  exclude: ["**/*.test.ts", "**/testing/**", "**/generated/**"],
})
  .map((file) => readFileSync(join(repository, file), "utf8"))
  .join("\n")
  .replaceAll(/["`] \+\s*["`]/g, "")
  .replaceAll(/\$\{[^}]*\}/g, "…");

/** Messages of PostgreSQL, `pg`, Node.js and the operating system. */
const foreign = [
  "Cannot find package",
  "timeout expired",
  "getaddrinfo EAI_AGAIN",
  "password authentication failed for user",
  'database "…" does not exist',
  "permission denied for schema public",
  "permission denied to create extension",
  "too many connections for …",
  "remaining connection slots are reserved",
  "canceling statement due to lock timeout",
];

/** Templates of messages about variables, of which the sources have only the parts. */
const templates = ["… must be …", "… is required but not set."];

/** Returns the texts in code of the first column of each table in a chapter. */
function messagesOf(chapter: string): string[] {
  const text = guide.split(`\n## ${chapter}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...text.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
  );
}

describe("docs/operating/troubleshooting.md", () => {
  const start = messagesOf("A process does not start").filter((message) => !templates.includes(message));

  const worker = messagesOf("A worker is not ready");

  test("has a table of messages in both chapters", () => {
    expect([start.length > 25, worker.length > 1]).toEqual([true, true]);
  });

  test.each(start.filter((message) => !foreign.includes(message)))("the programs have “%s”", (message) => {
    expect(sources.includes(message)).toBe(true);
  });

  test.each(worker)("a worker has the problem “%s”", (message) => {
    expect(sources.includes(`"${message}"`)).toBe(true);
  });

  test("has a row for each reason of the class of errors that prevent a start", () => {
    const hints = readFileSync(join(repository, "packages/config/src/run.ts"), "utf8");
    const [, table = ""] = /hints: Record<string, string> = \{([\s\S]*?)\n\};/.exec(hints) ?? [];
    const texts = [...table.matchAll(/: "(.*)",/g)].map(([, text = ""]) => text);
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) expect(start.some((message) => text.startsWith(message))).toBe(true);
  });
});
