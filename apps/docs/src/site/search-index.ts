import MiniSearch from "minisearch";
import { searchOptions } from "./browser/search-query.ts";
import { renderMarkdown } from "./markdown.ts";
import { addressOf, type Page, plainText } from "./page.ts";

/** Part of a page that the search finds. */
interface Document {
  id: string;
  title: string;
  heading: string;
  text: string;
  section: string;
  description: string;
}

const longestText = 1500;

/** Returns the search index as JSON: a document for each page, and for each section of a guide and of the SDK. */
export function searchIndex(pages: Page[]): string {
  const index = new MiniSearch<Document>(searchOptions);
  index.addAll(pages.filter(({ path }) => path !== "").flatMap(documentsOf));
  return JSON.stringify(index);
}

function documentsOf(page: Page): Document[] {
  const { path, title, section, description, markdown } = page;
  const [intro = "", ...sections] = markdown.split(/^(?=## )/m);
  const statuses =
    section === "Errors" ? [...markdown.matchAll(/^\| (\d{3}) /gm)].map(([, status]) => status) : [];
  const whole = {
    id: addressOf(path),
    title,
    heading: [...new Set(statuses)].join(", "),
    section,
    description,
  };
  if (section !== "Guides" && section !== "SDK") return [{ ...whole, text: textOf(markdown) }];
  const { headings } = renderMarkdown(markdown);
  const anchors = headings.filter(({ level }) => level === 2);
  return [
    { ...whole, text: textOf(intro) },
    ...sections.map((text, index) => ({
      ...whole,
      id: `${addressOf(path)}#${anchors[index]?.id ?? ""}`,
      heading: anchors[index]?.text ?? "",
      description: plainText(proseOf(text)).slice(0, 160),
      text: textOf(text),
    })),
  ];
}

/** Returns the words of a text: without code blocks, and without words that the beginning already contains. */
function textOf(markdown: string): string {
  const words = plainText(withoutCode(markdown).replaceAll(/[|#]|(?<!\w)-|-(?!\w)/g, " ")).split(" ");
  return [...new Set(words)].join(" ").slice(0, longestText);
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```/gms, "");
}

/** Returns the text of a section without its heading, code blocks, tables and the marks of lists. */
function proseOf(section: string): string {
  return withoutCode(section)
    .replace(/^## .*\n/, "")
    .replaceAll(/^\|.*\n?/gm, "")
    .replaceAll(/^(?:-|\d+\.) /gm, "")
    .trim();
}
