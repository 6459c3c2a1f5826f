/** A look at the documentation in a browser. Other pages and ways to read them are in site.drill.test.ts. */
import { accessibilityViolations, hasChromium } from "@parley/testing/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flawsOf, noFlaws, openSite, type SiteBrowser, wide } from "./site-browser.ts";

describe.skipIf(!hasChromium)("the documentation", { timeout: 240_000 }, () => {
  let site: SiteBrowser;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  test("a page is accessible and fits the window, wide and narrow, light and dark", async () => {
    expect(await flawsOf(site, "api/create-lead")).toEqual(noFlaws);
  });

  test("search: opens by /, tolerates typing errors, and Enter opens the first hit", async () => {
    await site.visit("api/get-lead", wide, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("qualifed");
      const hits = page.getByRole("option");
      await hits.first().waitFor();
      expect(await hits.first().textContent()).toContain("lead.qualified");
      expect(await hits.first().getAttribute("aria-selected")).toBe("true");
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.keyboard.press("ArrowDown");
      expect(await hits.nth(1).getAttribute("aria-selected")).toBe("true");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${site.url}events/lead.qualified`);
    });
  });
});
