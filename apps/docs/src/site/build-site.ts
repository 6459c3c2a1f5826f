import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stylesheets } from "@parley/ui";
import { rolldown } from "rolldown";
import { diagramStyles, writeDiagrams } from "./diagrams.ts";
import { pageHtml, signedInHtml } from "./layout.ts";
import { listPages, markdownOf, pathsOf } from "./list-pages.ts";
import { llmsFullText, llmsText, sitemap } from "./machine-readable.ts";
import { addressOf, type Page } from "./page.ts";
import { demoServer, readContract } from "./read-contract.ts";
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
 * `diagrams/`, `search.json`, `llms.txt`, `llms-full.txt` and `sitemap.xml`. The folder of scripts and styles is named by
 * a hash of all of them.
 */
export async function buildSite(folder: string): Promise<void> {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const contract = readContract();
  const pages = listPages(contract);
  const paths = pathsOf(pages);

  const files = await assetFiles();
  const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  for (const [name, text] of Object.entries(files)) write(`assets/${version}/${name}`, text);
  write("assets/icon.svg", readFileSync(join(assets, "icon.svg"), "utf8"));
  const addresses = {
    stylesheet: addressOf(`assets/${version}/site.css`),
    script: addressOf(`assets/${version}/site.js`),
    signedInScript: addressOf(`assets/${version}/signed-in.js`),
  };

  write(`${notFoundPage.path}.html`, await pageHtml(notFoundPage, pages, addresses));
  write("signed-in.html", await signedInHtml(addresses));
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

/** Returns the scripts and styles by name. The search and the forms for requests are loaded when they are used. */
async function assetFiles(): Promise<Record<string, string>> {
  const { tokens, base, components } = stylesheets;
  const styles = [tokens, base, components, readFileSync(join(assets, "site.css"), "utf8"), diagramStyles];
  const scripts = (name: string) => join(import.meta.dirname, "browser", `${name}.ts`);
  const bundle = await rolldown({
    input: { site: scripts("site"), "signed-in": scripts("signed-in") },
    platform: "browser",
  });
  const { output } = await bundle.generate({ minify: true, chunkFileNames: "[name].js" });
  await bundle.close();
  const files = output.map((file) => [
    file.fileName,
    file.type === "chunk" ? file.code : file.source.toString(),
  ]);
  return { "site.css": styles.join("\n"), ...Object.fromEntries(files) };
}
