import { contrastViolations, hasChromium, launchChromium } from "@parley/testing/chromium";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrand } from "./brand.ts";
import { componentsPage } from "./components-page.ts";
import { html, render } from "./html.ts";
import { pageLayout } from "./page-layout.ts";

const accents = ["#ffff00", "#000000", "#ff0000", "#7f7f7f"];
const cases = accents.flatMap((accent) =>
  (["light", "dark"] as const).map((colorScheme) => ({ accent, colorScheme })),
);

/** Logo that would change the title if its scripts ran. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10" onload="parent.document.title='run'">
<script>parent.document.title = "run"</script><rect width="40" height="10"/></svg>`;

describe.skipIf(!hasChromium)("a brand in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  test.each(cases)(
    "$accent is readable on every component, also on hover: $colorScheme",
    async ({ accent, colorScheme }) => {
      const page = await browser.newPage({ colorScheme });
      await page.setContent(await render(componentsPage(createBrand({ name: "Acme", accent }))));
      expect(await contrastViolations(page)).toEqual([]);
      await page.getByRole("button", { name: "Primary" }).first().hover();
      expect(await contrastViolations(page, "button:hover")).toEqual([]);
      await page.close();
    },
  );

  test("shows an SVG as an image in the height of the header, and never runs its scripts", async () => {
    const brand = createBrand({ name: "Acme", logo: { type: "image/svg+xml", data: Buffer.from(svg) } });
    const page = await browser.newPage();
    await page.setContent(await render(pageLayout({ title: "Page", content: html`<h1>Page</h1>` }, brand)));
    const image = page.locator("header img");
    await image.evaluate("element => element.decode()");
    expect(await image.boundingBox()).toMatchObject({ width: 96, height: 24 });
    expect(await page.title()).toBe("Page – Acme");
    await page.close();
  });
});
