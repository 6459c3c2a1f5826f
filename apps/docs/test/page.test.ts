import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildReference, bundleContract } from "../src/reference.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { type Contract, chaptersOf, eventsOf, operationsOf, type Section } from "./sections.ts";
import { serve } from "./static-server.ts";
import { isMissing } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-docs-"));
buildReference(folder);
const contract = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8")) as Contract;

afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(isMissing("Chromium", chromiumPath !== undefined))("the page in a browser", () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  let page: Page;
  /** What went wrong in the browser: requests elsewhere, console errors, violations of the policy, exceptions. */
  const complaints: string[] = [];
  const links = new Set<string>();
  const visited = new Set<string>();

  beforeAll(async () => {
    server = await serve(folder);
    browser = await launchChromium(chromiumPath ?? "");
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("request", (request) => {
      const url = request.url();
      const origin = new URL(server.url).origin;
      if (!url.startsWith(server.url) && !url.startsWith(`blob:${origin}/`) && !url.startsWith("data:")) {
        complaints.push(`request: ${url}`);
      }
    });
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(server.url);
    await page.waitForSelector("#api-content");
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** Goes to an address within the page, waits until its section is in view, and collects the links there. */
  async function visit(address: string): Promise<void> {
    await page.evaluate((hash) => window.location.replace(hash), `#${address}`);
    const id = address.slice(1) || "api-content";
    const inView = page.waitForFunction(
      (section) => {
        const element = document.getElementById(section);
        const top = element?.getBoundingClientRect().top ?? Number.NaN;
        return top > -300 && top < window.innerHeight;
      },
      id,
      { timeout: 10_000, polling: 50 },
    );
    await inView.catch((cause: unknown) => {
      throw new Error(`#${address} leads nowhere`, { cause });
    });
    const selector = '.menu-content a[href^="#"], [data-component-name="Markdown/Markdown"] a[href^="#"]';
    const found = await page.$$eval(selector, (anchors) => anchors.map((a) => a.getAttribute("href") ?? ""));
    for (const href of found) links.add(decodeURIComponent(href.slice(1)));
    visited.add(address);
  }

  async function expectSection({ address, title }: Section): Promise<void> {
    await visit(address);
    const section = page.locator(`[id="${address.slice(1)}"]`);
    await section.locator("h2", { hasText: title }).first().waitFor({ timeout: 10_000 });
  }

  test("the introduction names this server in its commands", async () => {
    const text = await page.textContent("#api-content");
    expect(text).toContain("Quick start");
    expect(text).toContain(`curl ${new URL(server.url).origin}/api/oauth/token`);
    expect(text).not.toContain("127.0.0.1:8080");
    expect(await page.title()).toBe("Parley API reference");
    await visit("/");
  });

  test("every chapter and its sections are shown", async () => {
    const chapters = chaptersOf(contract);
    expect(chapters.length).toBeGreaterThan(20);
    for (const chapter of chapters) await expectSection(chapter);
  }, 120_000);

  test("every operation is shown", async () => {
    const operations = operationsOf(contract);
    expect(operations.length).toBeGreaterThan(15);
    for (const operation of operations) await expectSection(operation);
  }, 120_000);

  test("all 22 webhook events are shown", async () => {
    const events = eventsOf(contract);
    expect(events).toHaveLength(22);
    for (const event of events) await expectSection(event);
  }, 120_000);

  test("every link within the page leads somewhere", async () => {
    expect(links.size).toBeGreaterThan(60);
    for (const address of links) if (!visited.has(address)) await visit(address);
    expect([...links].filter((address) => !visited.has(address))).toEqual([]);
  }, 120_000);

  test("a command is shown for an operation", async () => {
    await visit("/leads/createlead");
    const section = page.locator('[id="leads/createlead"]');
    await section.getByText("$ACCESS_TOKEN").first().waitFor();
    expect(await section.textContent()).toContain(`curl ${new URL(server.url).origin}/api/v1/leads`);
  });

  test("the search finds an operation and leads to it", async () => {
    await page.keyboard.press("Control+K");
    await page.keyboard.type("subscribe to events");
    await page.locator('[data-testid="search-dialog"] a[href$="/createsubscription"]').first().click();
    await page.waitForURL("**/docs/#/webhook-subscriptions/createsubscription");
    const heading = page.locator("h2", { hasText: "Subscribe to events" }).first();
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
  }, 30_000);

  test("a phone shows it without scrolling sideways", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const address of ["/", "/errors", "/verifying-webhooks", "/leads/createlead"]) {
      await visit(address);
      const surplus = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect({ address, surplus }).toEqual({ address, surplus: 0 });
    }
    await page.getByRole("button", { name: "Open navigation menu" }).click();
    await page.locator('.menu-content a[href="#/authentication"]').waitFor();
  }, 30_000);

  test("the contract can be downloaded as JSON and as YAML, and both are the same", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.reload();
    await page.goto(`${server.url}#/`);
    await page.locator('a[href="openapi.json"]').first().waitFor();
    await page.locator('a[href="openapi.yaml"]').first().waitFor();

    const json = await page.request.get(`${server.url}openapi.json`);
    const yaml = await page.request.get(`${server.url}openapi.yaml`);
    expect(await json.json()).toEqual(contract);
    expect(await yaml.text()).toMatch(/^openapi: 3\.1\.0$/m);
    const converted = join(folder, "from-yaml.json");
    bundleContract(converted, join(folder, "openapi.yaml"));
    expect(JSON.parse(readFileSync(converted, "utf8"))).toEqual(contract);
  }, 30_000);

  test("nothing was asked of another origin, and the browser had no complaint", () => {
    expect(complaints).toEqual([]);
  });
});
