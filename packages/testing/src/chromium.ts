import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = places.find((path) => existsSync(path));
if (!executablePath && process.env["CI"]) throw new Error("CI must have Chromium: .ci/run installs it");
if (!executablePath) console.warn("skipped: Chromium is not installed");

/** Whether Chromium is installed. In CI it must be. */
export const hasChromium: boolean = executablePath !== undefined;

/** Starts Chromium so that it works as root and sends no requests of its vendor. */
export function launchChromium(): Promise<Browser> {
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking"];
  const noUpdates = ["--disable-component-update", "--disable-sync"];
  return chromium.launch({
    executablePath: executablePath ?? "",
    args: ["--no-sandbox", "--disable-gpu", ...quiet, ...noUpdates],
  });
}

/**
 * Returns a page's violations of axe's accessibility rules, each with its rule and elements.
 *
 * @param selector elements to check, with what they contain. Default: the whole page
 */
export function accessibilityViolations(page: Page, selector?: string): Promise<string[]> {
  return violations(page, selector, {});
}

/** Returns the elements of a page without enough contrast, for looks that differ only in their colors. It takes a tenth of the time of all rules. */
export function contrastViolations(page: Page, selector?: string): Promise<string[]> {
  return violations(page, selector, { runOnly: ["color-contrast", "link-in-text-block"] });
}

async function violations(page: Page, selector: string | undefined, options: object): Promise<string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const parameters = `${JSON.stringify(selector) ?? "document"}, ${JSON.stringify(options)}`;
  return page.evaluate(`axe.run(${parameters}).then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);
}

/** Checks whether a page is wider than the window. */
export function scrollsHorizontally(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > window.innerWidth");
}
export type { Browser, Page } from "playwright-core";
