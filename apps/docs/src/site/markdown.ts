import { html, raw, renderSync } from "@parley/ui";
import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import http from "highlight.js/lib/languages/http";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import typescript from "highlight.js/lib/languages/typescript";
import { Marked, type Tokens } from "marked";
import { diagramFigure } from "./diagrams.ts";
import { plainText, slug } from "./page.ts";

const languages = { bash, go, http, javascript, json, nginx, php, python, ruby, typescript };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** Heading of a page, for its table of contents. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** Rendered Markdown. */
export interface Rendered {
  readonly content: string;
  readonly headings: Heading[];
}

/**
 * Renders Markdown of the contract as HTML: headings have IDs, code is highlighted by classes, tables can scroll, and
 * diagrams are part of the page.
 * HTML in the Markdown is shown as text.
 */
export function renderMarkdown(markdown: string): Rendered {
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = uniqueId(slug(plainText(text)), ids);
        headings.push({ level: depth, id, text: plainText(text) });
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      code({ text, lang = "" }: Tokens.Code) {
        return codeHtml(text, lang);
      },
      paragraph({ tokens }: Tokens.Paragraph) {
        const [only, ...others] = tokens;
        const isImage = only?.type === "image" && others.length === 0;
        return (isImage && diagramFigure(only["href"], only["text"])) || false;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return renderSync(html`${text}`);
      },
    },
  });
  return { content: withTabs(marked.parse(markdown, { async: false })), headings };
}

/** Shows one sample of a request at a time: each becomes an element that can be opened, the first is open. */
function withTabs(content: string): string {
  return content.replace(/(?<=<h2 id="example-request">).*?(?=<h2 |$)/s, (samples) => {
    let count = 0;
    return samples.replace(
      /<h3 id="[^"]*">([^<]+) <a [^>]*>#<\/a><\/h3>\s*(<div class="code-block">.*?<\/pre><\/div>)/gs,
      (_, label: string, code: string) =>
        `<details class="sample" name="sample"${count++ === 0 ? " open" : ""}><summary>${label}</summary>${code}</details>`,
    );
  });
}

/** Returns the ID of a heading, with a number if the page already has the ID. */
export function uniqueId(id: string, ids: Map<string, number>): string {
  const count = (ids.get(id) ?? 0) + 1;
  ids.set(id, count);
  return count === 1 ? id : `${id}-${count}`;
}

function codeHtml(code: string, language: string): string {
  const known = highlighter.getLanguage(language);
  const inner = known ? raw(highlighter.highlight(code, { language }).value) : code;
  return renderSync(
    html`<div class="code-block"><pre class="code" tabindex="0"><code data-language="${language}">${inner}</code></pre></div>\n`,
  );
}
