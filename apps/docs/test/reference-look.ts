import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ReferencePage } from "./reference-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of axe whose result depends on colors. */
export const colorRules = ["color-contrast", "link-in-text-block"];

interface Look {
  colorScheme: "light" | "dark";
  width: number;
}
export const looks: Look[] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
];

/** Returns the violations of axe's rules in the elements of selectors. @param rules default: all */
export async function faultsOf(
  { page }: ReferencePage,
  selectors: string[],
  rules?: string[],
): Promise<string[]> {
  await page.evaluate(axe);
  const options = { resultTypes: ["violations"], selectors: false, ...(rules && { runOnly: rules }) };
  return (await page.evaluate(
    `axe.run(${JSON.stringify(selectors)}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
  )) as string[];
}

/** Returns elements that extend beyond the window and cannot be scrolled into view. */
export function cutOff({ page }: ReferencePage): Promise<string[]> {
  return page.$$eval(".redoc-wrap, .redoc-wrap *", (elements) => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      !element.matches(".api-content, .redoc-wrap") &&
      (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
    return elements
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
      .filter((element) => element.checkVisibility() && !scrolls(element))
      .map((element) => element.outerHTML.slice(0, 200));
  });
}
