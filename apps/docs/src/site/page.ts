/** Page of the documentation. Its Markdown is the source of its HTML, and is served too. */
export interface Page {
  /** Path under /docs, without an extension; empty for the home page. */
  path: string;
  title: string;
  /** One sentence without Markdown, for search engines and lists. */
  description: string;
  /** Section of the site, in the order of the sidebar. */
  section: SectionName;
  /** Group within the section, for example `Leads`. */
  group: string;
  /** Text in the sidebar. */
  label: string;
  /** Method of an operation. */
  method?: string;
  /** Operation that readers can try, and the type of the event that it sends. */
  tryIt?: { operationId: string; eventType?: string };
  /** Section of the reference on one page with the same content. */
  sectionOfReference?: string;
  /** Text without the heading of level 1. Links to other pages are absolute paths. */
  markdown: string;
}

export const sectionNames = ["Guides", "API", "Events", "SDK", "Errors", "Schemas"] as const;

export type SectionName = (typeof sectionNames)[number];

/** Returns the address of a page on the server. */
export function addressOf(path: string): string {
  return `/docs/${path}`;
}

/** Returns a name in lower case with dashes: `listLeads` is `list-leads`, `Lead events` is `lead-events`. */
export function slug(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[`'’"?()…]/g, "")
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Returns the first sentence of a Markdown text without its markup. */
export function summaryOf(markdown: string): string {
  const text = plainText(markdown.split(/\n\s*\n/)[0] ?? "");
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

/** Removes the markup of links, emphasis and code. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns text for a cell of a Markdown table. */
export function cell(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}

/** Returns a Markdown table; empty without rows. */
export function table(headings: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const line = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line), ""].join("\n");
}

/** Returns a Markdown code block. */
export function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\`\n`;
}
