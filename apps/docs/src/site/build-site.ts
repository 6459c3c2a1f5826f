import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stylesheets } from "@parley/ui";
import { demoServer, readContract } from "./contract.ts";
import { diagramStyles, writeDiagrams } from "./diagrams.ts";
import { pageHtml } from "./layout.ts";
import { listPages, markdownOf, pathsOf } from "./list-pages.ts";
import { llmsFullText, llmsText, sitemap } from "./machine-readable.ts";
import { addressOf, type Page } from "./page.ts";
import { searchIndex } from "./search-index.ts";

/** Page for an address that no page has. */
const notFoundPage: Page = {
  path: "not-found",
  title: "Page not found",
  description: "No page has this address.",
  section: "Guides",
  group: "Guides",
  label: "Page not found",
  markdown: `No page has this address. Use the search, or start at the [home page](${addressOf("")}).`,
};

const assets = join(import.meta.dirname, "assets");

/**
 * Builds the documentation into a folder: `<path>.html` and `<path>.md` for each page, `not-found.html`, `assets/`,
 * `diagrams/`, `search.json`, `llms.txt`, `llms-full.txt` and `sitemap.xml`. The names of scripts and styles contain a hash of all of
 * them.
 */
export async function buildSite(folder: string): Promise<void> {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const contract = readContract();
  const pages = listPages(contract);
  const paths = pathsOf(pages);

  const files = assetFiles();
  const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  for (const [name, text] of Object.entries(files)) write(`assets/${version}/${name}`, text);
  write("assets/icon.svg", readFileSync(join(assets, "icon.svg"), "utf8"));
  const addresses = {
    stylesheet: addressOf(`assets/${version}/site.css`),
    script: addressOf(`assets/${version}/site.js`),
  };

  write(`${notFoundPage.path}.html`, await pageHtml(notFoundPage, pages, addresses));
  for (const page of pages) {
    const name = page.path || "index";
    write(`${name}.html`, await pageHtml(page, pages, addresses));
    write(`${name}.md`, markdownOf(page, paths));
  }
  writeDiagrams(join(folder, "diagrams"));
  write("search.json", searchIndex(pages));
  write("llms.txt", llmsText(contract, pages, demoServer));
  write("llms-full.txt", llmsFullText(pages));
  write("sitemap.xml", sitemap(pages, demoServer));
}

/** Returns the scripts and styles by name. */
function assetFiles(): Record<string, string> {
  const own = (name: string) => readFileSync(join(assets, name), "utf8");
  return {
    "site.css": [stylesheets.tokens, stylesheets.base, own("site.css"), diagramStyles].join("\n"),
    "site.js": own("site.js"),
    "search.js": own("search.js"),
    "search-query.js": own("search-query.js"),
    "minisearch.js": readFileSync(fileURLToPath(import.meta.resolve("minisearch")), "utf8"),
  };
}
