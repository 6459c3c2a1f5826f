import type { SiteContract } from "../contract.ts";
import { guideName } from "../links.ts";
import { type Page, summaryOf } from "../page.ts";

/** Returns a page for each chapter. */
export function guidePages({ tags, "x-tagGroups": groups }: SiteContract): Page[] {
  const names = groups[0]?.tags ?? [];
  return names.flatMap((name) => {
    const tag = tags.find((one) => one.name === name);
    if (!tag) return [];
    const title = tag["x-displayName"] ?? name;
    const path = `guides/${guideName(name)}`;
    const description = tag["x-summary"] ?? summaryOf(tag.description);
    return [
      {
        path,
        title,
        description,
        section: "Guides",
        group: "Guides",
        label: title,
        markdown: tag.description,
      },
    ];
  });
}
