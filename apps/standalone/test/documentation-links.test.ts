import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../../..");
const files = globSync(["*.md", "docs/**/*.md", "{apps,packages}/*/*.md"], { cwd: repository });

/** Links of a page, without those in code. */
function linksIn(file: string): string[] {
  const prose = readFileSync(file, "utf8")
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/`[^`\n]*`/g, "code");
  return [...prose.matchAll(/\]\(<?([^)\s>]+)/g)].map(([, link = ""]) => link);
}

/** Fragments of a page's headings, as GitHub makes them. */
function fragmentsOf(file: string): string[] {
  const headings = readFileSync(file, "utf8").match(/^#+ .+/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Whether a link without a scheme leads to a file or folder, and its fragment to a heading. */
function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", fragment] = link.split("#");
  const target = path === "" ? from : join(dirname(from), decodeURIComponent(path));
  return existsSync(target) && (fragment === undefined || fragmentsOf(target).includes(fragment));
}

describe.each(files)("%s", (name) => {
  const file = join(repository, name);

  test("links only to pages and headings that exist", () => {
    const relative = linksIn(file).filter((link) => !/^[a-z]+:/i.test(link));
    expect(relative.filter((link) => !leadsSomewhere(file, link))).toEqual([]);
  });

  test("names only files that exist in the repository", () => {
    const named = readFileSync(file, "utf8").matchAll(/`((?:apps|docs|openapi|packages)\/[\w./-]+)`/g);
    const paths = [...named]
      .map(([, path = ""]) => path)
      .filter((path) => !/\b(dist|generated|node_modules)\b/.test(path));
    expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });
});

test("documentation is found", () => expect(files.length).toBeGreaterThan(40));
