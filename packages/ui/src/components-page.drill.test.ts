import {
  accessibilityViolations,
  contrastViolations,
  hasChromium,
  launchChromium,
  scrollsHorizontally,
} from "@parley/testing/chromium";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { componentsPage } from "./components-page.ts";
import { render } from "./html.ts";

describe.skipIf(!hasChromium)("the components in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  test.each([320, 768, 1280])("are accessible and fit the window, light and dark: %d px", async (width) => {
    const page = await browser.newPage({ colorScheme: "light", viewport: { width, height: 800 } });
    await page.setContent(await render(componentsPage()));
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await contrastViolations(page)).toEqual([]);
    expect(await scrollsHorizontally(page)).toBe(false);
    await page.close();
  });

  test.each(["light", "dark"] as const)(
    "show the focus and keep their contrast on hover: %s",
    async (colorScheme) => {
      const page = await browser.newPage({ colorScheme });
      await page.setContent(await render(componentsPage()));
      for (const element of await page.locator("#buttons ~ * .button:enabled, .tabs a").all()) {
        await element.hover();
        expect(await contrastViolations(page, ":is(a, button):hover")).toEqual([]);
      }
      await page.keyboard.press("Tab");
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
      await page.close();
    },
  );
});
