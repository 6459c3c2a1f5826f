import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchChromium } from "@parley/testing/chromium";
import type { BrowserContextOptions, Page } from "playwright-core";
import { buildReference } from "../src/reference.ts";
import type { Contract } from "./sections.ts";
import { serve } from "./static-server.ts";

/** The reference, built into a temporary folder and served, with a browser. */
export interface Reference {
  folder: string;
  url: string;
  contract: Contract;
  open(options?: BrowserContextOptions): Promise<ReferencePage>;
  close(): Promise<void>;
}

/** A page of a new browser context that shows the reference. */
export interface ReferencePage {
  page: Page;
  /** Browser errors: requests to other origins, console errors, violations of the policy, exceptions. */
  complaints: string[];
  /** Goes to an address within the page, for example `tag/Leads/operation/createLead`, and waits until its section is in view. */
  visit(address: string): Promise<void>;
}

export async function startReference(): Promise<Reference> {
  const folder = mkdtempSync(join(tmpdir(), "parley-docs-"));
  buildReference(folder);
  const contract = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8")) as Contract;
  const server = await serve(folder);
  const browser = await launchChromium();
  return {
    folder,
    url: server.url,
    contract,
    async open(options = { viewport: { width: 1280, height: 900 } }) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const complaints = listen(page, server.url);
      await page.goto(server.url);
      await page.waitForSelector(".api-content");
      return { page, complaints, visit: (address) => visit(page, address) };
    },
    async close() {
      await browser.close();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function listen(page: Page, url: string): string[] {
  const complaints: string[] = [];
  const own = [url, `blob:${new URL(url).origin}/`, "data:"];
  page.on("request", (request) => {
    if (!own.some((start) => request.url().startsWith(start))) complaints.push(`request: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

async function visit(page: Page, address: string): Promise<void> {
  const inView = page.evaluate(async (section) => {
    window.location.replace(`#${section}`);
    const giveUpAt = Date.now() + 30_000;
    for (;;) {
      const top = document.getElementById(section)?.getBoundingClientRect().top ?? Number.NaN;
      if (top > -300 && top < window.innerHeight) return true;
      if (Date.now() > giveUpAt) return false;
      await new Promise(requestAnimationFrame);
    }
  }, address);
  if (!(await inView)) throw new Error(`#${address} has no section`);
}
