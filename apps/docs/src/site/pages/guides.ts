import { guideGroups, type SiteContract } from "../contract.ts";
import { type Page, summaryOf } from "../page.ts";

/** Returns a page for each chapter. */
export function guidePages(contract: SiteContract): Page[] {
  return guideGroups(contract).flatMap(({ name: group, tags }) =>
    tags.map(({ name, "x-displayName": title = name, "x-summary": summary, description }) => ({
      path: `guides/${name}`,
      title,
      description: summary ?? summaryOf(description),
      section: "Guides",
      group,
      label: title,
      markdown: description,
    })),
  );
}
