import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { html, raw, renderSync, stylesheets } from "@parley/ui";
import { addressOf } from "./page.ts";

const folder = join(import.meta.dirname, "../../../../openapi/chapters/diagrams");

/** A drawing that chapters show. */
interface Diagram {
  /** Name of the file. */
  readonly name: string;
  readonly svg: string;
  /** The content in words: `<desc>` of the drawing. */
  readonly description: string;
}

const diagrams = new Map(readDiagrams().map((diagram) => [addressOf(`diagrams/${diagram.name}`), diagram]));

/** The styles of diagrams in pages and in standalone files. */
export const diagramStyles = readFileSync(join(import.meta.dirname, "assets/diagram.css"), "utf8");

function readDiagrams(): Diagram[] {
  return readdirSync(folder).map((name) => {
    const svg = readFileSync(join(folder, name), "utf8");
    return { name, svg, description: /<desc[^>]*>([^<]*)<\/desc>/.exec(svg)?.[1] ?? "" };
  });
}

/** Returns the diagram at an address as a figure that scrolls if the window is narrow; undefined if there is none. */
export function diagramFigure(address: string, caption: string): string | undefined {
  const diagram = diagrams.get(address);
  if (!diagram) return undefined;
  return renderSync(
    html`<figure class="diagram"><div tabindex="0">${raw(diagram.svg)}</div><figcaption>${caption}</figcaption></figure>\n`,
  );
}

/** Adds the content of each diagram in words, for readers who cannot see it. */
export function describeDiagrams(markdown: string): string {
  return markdown.replaceAll(/^!\[[^\]]*\]\(([^)]+)\)$/gm, (image, address: string) => {
    const diagram = diagrams.get(address);
    return diagram ? `${image}\n\n${diagram.description}` : image;
  });
}

/** Writes the diagrams as standalone files, which contain their styles. */
export function writeDiagrams(target: string): void {
  mkdirSync(target, { recursive: true });
  for (const { name, svg } of diagrams.values()) writeFileSync(join(target, name), standalone(svg));
}

/** Returns a drawing with its size and styles. */
function standalone(svg: string): string {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  return svg
    .replace(" viewBox=", ` width="${width}" height="${height}" viewBox=`)
    .replace("</desc>", `</desc>\n<style>\n${stylesheets.tokens}${diagramStyles}</style>`);
}
