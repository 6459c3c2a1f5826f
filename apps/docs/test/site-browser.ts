import {
  accessibilityViolations,
  type Browser,
  launchChromium,
  type Page,
  scrollsHorizontally,
} from "@parley/testing/chromium";
import type { BrowserContextOptions } from "playwright-core";
import { expect } from "vitest";
import { siteContentSecurityPolicy } from "../src/content-security-policy.ts";
import { buildTestSite } from "./built-site.ts";
import { serve } from "./static-server.ts";

export const wide = { viewport: { width: 1280, height: 900 } };

/** The documentation, built and served, with a browser. */
export interface SiteBrowser {
  url: string;
  browser: Browser;
  /** Opens a page in a new context, and runs a check that must cause no browser error and no request to another origin. */
  visit<Result>(
    path: string,
    options: BrowserContextOptions,
    check: (page: Page) => Promise<Result>,
  ): Promise<Result>;
  close(): Promise<void>;
}

export async function openSite(): Promise<SiteBrowser> {
  const site = await buildTestSite();
  const server = await serve(site.folder, siteContentSecurityPolicy);
  const browser = await launchChromium();
  return {
    url: server.url,
    browser,
    async visit(path, options, check) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(server.url)) complaints.push(`request: ${request.url()}`);
      });
      page.on("response", (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
      });
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(server.url + path);
      const result = await check(page);
      expect(complaints).toEqual([]);
      await context.close();
      return result;
    },
    async close() {
      await browser.close();
      await server.close();
      site.remove();
    },
  };
}

/** Returns the rules of axe that a page violates, and whether it is wider than the window: wide and light, narrow and dark. */
export function flawsOf(site: SiteBrowser, path: string): Promise<unknown[]> {
  return site.visit(path, wide, async (page) => {
    const inLight = [await accessibilityViolations(page), await scrollsHorizontally(page)];
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 320, height: 900 });
    return [...inLight, await accessibilityViolations(page), await scrollsHorizontally(page)];
  });
}

export const noFlaws: unknown[] = [[], false, [], false];
