import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeDiagrams, writeDiagrams } from "../src/site/diagrams.ts";
import { renderMarkdown } from "../src/site/markdown.ts";

const folder = join(import.meta.dirname, "../../../openapi/chapters/diagrams");
const diagrams = readdirSync(folder).map((file) => {
  const svg = readFileSync(join(folder, file), "utf8");
  return { file, name: file.replace(".svg", ""), svg, texts: textsOf(svg) };
});

interface Text {
  classes: string[];
  x: number;
  y: number;
  text: string;
}

function textsOf(svg: string): Text[] {
  return [...svg.matchAll(/<text(?: class="([^"]*)")? x="([\d.]+)" y="([\d.]+)">([^<]*)<\/text>/g)].map(
    ([, classes = "", x, y, text = ""]) => ({
      classes: classes.split(" "),
      x: Number(x),
      y: Number(y),
      text,
    }),
  );
}

/** Returns the horizontal extent of a text in a wide font, in units of the drawing. */
function extentOf({ classes, x, text }: Text): [from: number, to: number] {
  const width = text.length * (classes.includes("quiet") ? 7.8 : 8.4);
  if (classes.includes("start")) return [x, x + width];
  return classes.includes("end") ? [x - width, x] : [x - width / 2, x + width / 2];
}

test("finds the three diagrams", () => {
  expect(diagrams.map(({ name }) => name)).toEqual(["circuit-breaker", "delivery", "oauth-flow"]);
});

test.each(diagrams)("$file has a title, a description in words, and unique IDs", ({ name, svg }) => {
  expect(svg).toContain(`role="img" aria-labelledby="${name}-title ${name}-desc"`);
  expect(svg).toMatch(new RegExp(`<title id="${name}-title">[A-Z][^<]+</title>`));
  expect(svg).toMatch(new RegExp(`<desc id="${name}-desc">[A-Z][^<]{300,}\\.</desc>`));
  const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !id.startsWith(`${name}-`))).toEqual([]);
  const used = [...svg.matchAll(/url\(#([^)]+)\)/g)].map(([, id = ""]) => id);
  expect(used.filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(diagrams)("$file contains no colors, scripts, styles and addresses of other files", ({ svg }) => {
  expect(svg).not.toMatch(/\b(fill|stroke|color|style|font[\w-]*|width|height|on\w+|href)="[^"\d]/);
  expect(svg).not.toMatch(/<svg[^>]* (width|height)=/);
  expect(svg).not.toMatch(/<(script|style|foreignObject|image|use|a|animate)\b/i);
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|\/\/|data:|@import/);
});

test.each(diagrams)("$file shows every text within the drawing, and none on another", ({ svg, texts }) => {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  expect(texts).toHaveLength([...svg.matchAll(/<text\b/g)].length);
  expect(texts.length).toBeGreaterThan(10);
  const outside = texts.filter((text) => {
    const [from, to] = extentOf(text);
    return from < 0 || to > Number(width) || text.y < 14 || text.y > Number(height) - 4;
  });
  expect(outside).toEqual([]);
  const pairs = texts.flatMap((a, index) => texts.slice(index + 1).map((b) => [a, b] as const));
  const overlapping = pairs.filter(([a, b]) => {
    const [[from, to], [otherFrom, otherTo]] = [extentOf(a), extentOf(b)];
    return Math.abs(a.y - b.y) < 16 && from < otherTo && otherFrom < to;
  });
  expect(overlapping.map((pair) => pair.map(({ text }) => text))).toEqual([]);
});

test("the standalone file has a size, and styles for light and dark", () => {
  const target = mkdtempSync(join(tmpdir(), "parley-diagrams-"));
  writeDiagrams(target);
  for (const { file } of diagrams) {
    const svg = readFileSync(join(target, file), "utf8");
    expect(svg).toMatch(/^<svg [^>]*width="760" height="\d+" viewBox=/);
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
    expect(svg).toContain(".drawing .arrow {");
  }
  rmSync(target, { recursive: true });
});

test("a page contains the drawing with a caption, and its Markdown the content in words", () => {
  const markdown = "Before.\n\n![OAuth flow](/docs/diagrams/oauth-flow.svg)\n\nAfter.";
  const { content } = renderMarkdown(markdown);
  expect(content).toMatch(
    /<figure class="diagram"><div tabindex="0"><svg .*<\/svg>\s*<\/div><figcaption>OAuth flow<\/figcaption><\/figure>/s,
  );
  expect(content).not.toContain("<img");
  expect(describeDiagrams(markdown)).toMatch(
    /oauth-flow\.svg\)\n\nThe user's browser, your app .*\n\nAfter\.$/,
  );
});
