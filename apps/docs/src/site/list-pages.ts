import type { SiteContract } from "./contract.ts";
import { describeDiagrams } from "./diagrams.ts";
import { createLinks } from "./links.ts";
import { addressOf, type Page, table } from "./page.ts";
import { commandLinePages } from "./pages/command-line.ts";
import { documentPages } from "./pages/documents.ts";
import { errorPages } from "./pages/errors.ts";
import { eventPages } from "./pages/events.ts";
import { guidePages } from "./pages/guides.ts";
import { operationPages } from "./pages/operations.ts";
import { schemaPages } from "./pages/schemas.ts";
import { sdkPages } from "./pages/sdk.ts";

/** Returns all pages in reading order, the home page first. */
export function listPages(contract: SiteContract): Page[] {
  const links = createLinks(contract);
  const pages = [
    ...byGroup([...guidePages(contract), ...commandLinePages(), ...documentPages()]),
    ...operationPages(contract),
    ...eventPages(contract),
    ...sdkPages(contract),
    ...errorPages(contract),
    ...schemaPages(contract),
  ];
  return [homePage(contract, pages), ...pages].map((page) => ({ ...page, markdown: links(page.markdown) }));
}

/** Sorts pages by group, in the order in which the groups first occur. */
function byGroup(pages: Page[]): Page[] {
  return [...Map.groupBy(pages, ({ group }) => group).values()].flat();
}

function homePage({ info }: SiteContract, pages: Page[]): Page {
  const rows = (listed: Page[]) =>
    listed.map(({ title, path, description }) => [`[${title}](${addressOf(path)})`, description]);
  const overviews = (section: Page["section"]) =>
    rows(pages.filter((page) => page.section === section && page.label === "Overview"));
  const guides = Map.groupBy(
    pages.filter(({ section }) => section === "Guides"),
    ({ group }) => group,
  );
  const parts = [
    info.description,
    `Start with the [quick start](${addressOf("guides/quick-start")}). To receive events on your own machine, see [Develop locally](${addressOf("guides/develop-locally")}).`,
    ...[...guides].map(([group, listed]) => `## ${group}\n\n${table(["Page", "Content"], rows(listed))}`),
    `## API\n\n${table(["Operations", "Content"], overviews("API"))}`,
    `## Webhook events\n\n${table(["Events", "Content"], overviews("Events"))}`,
    `## Everything else\n\n- [Error codes](${addressOf("guides/errors")}#error-codes) and [schemas](${addressOf("schemas")})
- [The whole reference on one page](${addressOf("reference/")})
- The contract: [openapi.yaml](${addressOf("openapi.yaml")}), [openapi.json](${addressOf("openapi.json")})
- npm packages of this server: [SDK](/sdk.tgz), [command line](/cli.tgz)
- For programs that read text: [llms.txt](${addressOf("llms.txt")}), [llms-full.txt](${addressOf("llms-full.txt")}). Every page is also available as Markdown: append \`.md\` to its address.`,
  ];
  return {
    path: "",
    title: info.title,
    description: info.summary,
    section: "Guides",
    group: "Guides",
    label: "Home",
    markdown: parts.join("\n\n"),
  };
}

/** Returns the Markdown of a page as it is served: with its heading, and with links to the Markdown of other pages. */
export function markdownOf({ title, markdown }: Page, paths: ReadonlySet<string>): string {
  const text = describeDiagrams(markdown).replaceAll(
    /\]\(\/docs\/([^)#\s]*)(#[^)\s]*)?\)/g,
    (link, path: string, anchor = "") => (paths.has(path) ? `](${markdownAddressOf(path)}${anchor})` : link),
  );
  return `# ${title}\n\n${text.trim()}\n`;
}

/** Returns the paths of pages. */
export function pathsOf(pages: Page[]): ReadonlySet<string> {
  return new Set(pages.map(({ path }) => path));
}

/** Returns the address of the Markdown of a page. */
export function markdownAddressOf(path: string): string {
  return addressOf(`${path || "index"}.md`);
}
