import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { addressOf, type Page, summaryOf } from "../page.ts";

const repository = join(import.meta.dirname, "../../../../..");
/** Paths of pages by the file of the repository with the same content. */
const pages: Record<string, string> = {
  "docs/operating.md": "guides/operating",
  "docs/operating/metrics-and-traces.md": "guides/metrics-and-traces",
  "docs/operating/logs.md": "guides/logs",
  "docs/operating/erasing-a-person.md": "guides/erasing-a-person",
  "docs/configuration.md": "guides/configuration",
  "packages/cli/README.md": "guides/command-line",
};

/** Documents that become pages, in the order of the sidebar. */
const documents = [
  "docs/operating.md",
  "docs/operating/metrics-and-traces.md",
  "docs/operating/logs.md",
  "docs/operating/erasing-a-person.md",
  "docs/configuration.md",
];

/** Returns pages with the documents of the repository for operators. */
export function documentPages(): Page[] {
  return documents.map((file) => {
    const text = readFileSync(join(repository, file), "utf8");
    const [, title = "", markdown = ""] = /^# (.+?)\n+(.*)$/s.exec(text) ?? [];
    return {
      path: pages[file] ?? "",
      title,
      description: summaryOf(markdown),
      section: "Guides",
      group: "Operate",
      label: title,
      markdown: rewriteLinks(markdown, file),
    };
  });
}

/** Rewrites the relative links of a file: to pages of the site, otherwise to the file in the repository on the web. */
function rewriteLinks(markdown: string, file: string): string {
  const { repository: address } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  return markdown.replaceAll(
    /\]\((?!https?:|\/)([^)#\s]*)(#[^)\s]*)?\)/g,
    (_, target: string, anchor = "") => {
      const linked = target === "" ? file : posix.join(posix.dirname(file), target);
      const page = pages[linked];
      return `](${page === undefined ? `${address}/blob/main/${linked}` : addressOf(page)}${anchor})`;
    },
  );
}
