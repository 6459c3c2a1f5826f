import type { SiteContract } from "./contract.ts";
import { markdownAddressOf, markdownOf, pathsOf } from "./list-pages.ts";
import { addressOf, type Page, sectionNames } from "./page.ts";

/** Returns llms.txt (https://llmstxt.org): what the API is, and links to the Markdown of every page. */
export function llmsText({ info }: SiteContract, pages: Page[], server: string): string {
  const sections = sectionNames.map((name) => {
    const lines = pages
      .filter(
        ({ section, path }) => section === name && path !== "" && (name !== "Schemas" || path === "schemas"),
      )
      .map(
        ({ title, path, description }) => `- [${title}](${server}${markdownAddressOf(path)}): ${description}`,
      );
    return `## ${name === "Schemas" ? "Optional" : name}\n\n${lines.join("\n")}\n`;
  });
  const guide = (path: string) => `${server}${markdownAddressOf(path)}`;
  return [
    `# ${info.title}\n`,
    `> ${info.summary}\n`,
    `${info.description.trim()}\n`,
    `Requests need an OAuth 2.0 access token in \`Authorization: Bearer …\` ([Authorize users](${guide("guides/authentication")})). Responses are \`{ data, meta }\`. Errors are \`{ error, error_description }\` ([Errors](${guide("guides/errors")})). Use the SDK where you can: it refreshes tokens, retries, paginates and verifies webhooks.\n`,
    `Base URL: ${server}. SDK: \`npm install ${server}/sdk.tgz\`. Contract: [openapi.json](${server}${addressOf("openapi.json")}). Everything in one file: [llms-full.txt](${server}${addressOf("llms-full.txt")}).\n`,
    `To sync records, see [Poll for changes](${guide("guides/lists")}#poll-for-changes). To receive webhooks, see [Receive webhooks](${guide("guides/receiving-webhooks")}), with [complete receivers](${guide("guides/webhook-receivers")}). Before users depend on an integration, check the [go-live checklist](${guide("guides/go-live")}). To sign users in, see [Use the SDK](${guide("guides/authentication")}#use-the-sdk). To run a demo server with users and an OAuth client, see [Quick start](${guide("guides/quick-start")}).\n`,
    ...sections,
    `## Files\n\n${files.map(([name, text]) => `- [${name}](${server}${addressOf(name)}): ${text}`).join("\n")}\n`,
  ].join("\n");
}

const files = [
  ["openapi.yaml", "The contract in OpenAPI 3.1."],
  ["first-webhook.arazzo.yaml", "A typical integration as a workflow in Arazzo."],
  ["signature-test-vectors.json", "Deliveries to test code that verifies signatures."],
] as const;

/** Returns the Markdown of all pages except the schemas, which the operations contain, with samples only in curl and TypeScript. */
export function llmsFullText(pages: Page[]): string {
  const paths = pathsOf(pages);
  return pages
    .filter(({ section }) => section !== "Schemas")
    .map((page) => markdownOf(page, paths).replaceAll(/^### (Python|PHP|Go)\n\n```.*?^```\n+/gms, ""))
    .join("\n---\n\n");
}

/** Returns the sitemap (https://www.sitemaps.org). */
export function sitemap(pages: Page[], server: string): string {
  const urls = pages.map(({ path }) => `<url><loc>${server}${addressOf(path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("\n")}\n</urlset>\n`;
}
