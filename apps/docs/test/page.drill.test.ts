import { hasChromium } from "@parley/testing/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Reference, type ReferencePage, startReference } from "./reference-page.ts";
import { chaptersOf, eventsOf, operationsOf, type Section } from "./sections.ts";

describe.skipIf(!hasChromium)("the page in a browser", { timeout: 240_000 }, () => {
  let reference: Reference;
  let shown: ReferencePage;

  beforeAll(async () => {
    reference = await startReference();
    shown = await reference.open();
  });
  afterAll(() => reference?.close());

  test("shows the address of this server in its commands", async () => {
    const text = await shown.page.textContent(".api-content");
    expect(text).toContain("Quick start");
    expect(text).toContain(`curl ${new URL(reference.url).origin}/api/oauth/token`);
    expect(text).not.toContain("127.0.0.1:8080");
    expect(await shown.page.title()).toBe("Parley API reference");
  });

  describe("from top to bottom", () => {
    /** Titles that can be seen, by the address of their section. */
    let seen: Map<string, string>;
    beforeAll(async () => {
      const titles = await shown.page.$$eval(".api-content h2", (headings) =>
        headings
          .filter((heading) => heading.checkVisibility() && heading.getBoundingClientRect().height > 0)
          .map((heading) => {
            const address = heading.querySelector("a")?.getAttribute("href")?.slice(1) ?? "";
            return [address, heading.textContent.trim()] as const;
          }),
      );
      seen = new Map(titles);
    });

    function expectSeen(sections: Section[]): void {
      const missing = sections.filter(({ address, title }) => !seen.get(address)?.startsWith(title));
      expect(missing).toEqual([]);
    }

    test("shows every section of the guide", () => {
      const chapters = chaptersOf(reference.contract);
      expect(chapters.length).toBeGreaterThan(60);
      expectSeen(chapters);
    });

    test("shows every operation", () => {
      const operations = operationsOf(reference.contract);
      expect(operations.length).toBeGreaterThan(40);
      expectSeen(operations);
    });

    test("shows all 22 webhook events", () => {
      const events = eventsOf(reference.contract);
      expect(events).toHaveLength(22);
      expectSeen(events);
    });
  });

  test("describes when an event is sent, and shows its payload", async () => {
    for (const { address, title } of eventsOf(reference.contract)) {
      const { post } = reference.contract.webhooks[title] ?? {};
      const example = post?.requestBody?.content["application/json"].example;
      const [headline = ""] = /(?<=\*\*).+(?=\*\*)/.exec(post?.description ?? "") ?? [];
      const text = await shown.page.locator(`[id="${address}"]`).textContent();
      expect(text).toContain(headline);
      expect(text).toContain(example?.id ?? "missing");
    }
  });

  test("has a section at the address of every chapter, operation and event, and behind every link", async () => {
    const links = await shown.page.$$eval('.redoc-markdown a[href^="#"]', (anchors) =>
      anchors.map((anchor) => decodeURIComponent(anchor.getAttribute("href")?.slice(1) ?? "")),
    );
    expect(links.length).toBeGreaterThan(30);
    const { contract } = reference;
    const sections = [...chaptersOf(contract), ...operationsOf(contract), ...eventsOf(contract)];
    const addresses = [...new Set([...links, ...sections.map(({ address }) => address)])];
    const missing = await shown.page.evaluate(
      (all) => all.filter((address) => document.getElementById(address) === null),
      addresses,
    );
    expect(missing).toEqual([]);
    const oneOfEach = [chaptersOf, operationsOf, eventsOf].map(
      (list) => list(contract).at(-1)?.address ?? "",
    );
    for (const address of [...oneOfEach, links.at(-1) ?? ""]) await shown.visit(address);
  });

  test("links files that exist", async () => {
    const addresses = await shown.page.$$eval(".api-content a[href]", (anchors) =>
      (anchors as HTMLAnchorElement[]).map(({ href }) => href),
    );
    const isPage = (href: string) => /^(guides|api)\//.test(href.slice(reference.url.length));
    const isFile = (href: string) => href.startsWith(reference.url) && !href.includes("#") && !isPage(href);
    expect(addresses).toContain(`${reference.url}api/list-leads`); // site.test.ts checks that each operation has a page.
    const files = new Set(addresses.filter(isFile));
    expect([...files].map((file) => file.slice(reference.url.length)).toSorted()).toEqual([
      "first-webhook.arazzo.yaml",
      "openapi.json",
      "openapi.yaml",
      "signature-test-vectors.json",
    ]);
    for (const file of files) {
      const response = await shown.page.request.get(file);
      expect({ file, status: response.status() }).toEqual({ file, status: 200 });
    }
  });

  test.each([
    ["an operation", "create a webhook", "Create a webhook subscription", "createWebhookSubscription"],
    ["an event", "usage.threshold", "usage.threshold_reached", "receiveUsageThresholdReached"],
    ["a section of the guide", "idempotency keys", "Use idempotency keys", "tag/errors/Use-idempotency-keys"],
  ])("finds %s in the search and opens it", async (_, words, title, address) => {
    const { page } = shown;
    await page.getByRole("textbox", { name: "Search" }).fill(words);
    const hit = page.locator(`[data-role="search:results"] [data-item-id*="${address}"]`);
    await hit.click();
    await page.waitForURL((url) => url.hash.includes(address));
    const heading = page.locator(`[id*="${address}"] h2`, { hasText: title }).first();
    await expect.poll(async () => (await heading.boundingBox())?.y, { timeout: 20_000 }).toBeLessThan(900);
    expect(await heading.isVisible()).toBe(true);
    await page.getByRole("button", { name: "Clear" }).click();
  });

  test("offers the contract as JSON and as YAML, and both are the same", async () => {
    const { page } = shown;
    for (const name of ["openapi.json", "openapi.yaml"]) {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name, exact: true }).click();
      expect((await download).suggestedFilename()).toBe(name);
    }
    const json = await page.request.get(`${reference.url}openapi.json`);
    const yaml = await page.request.get(`${reference.url}openapi.yaml`);
    expect(await json.json()).toEqual(reference.contract);
    expect(await yaml.text()).toMatch(/^openapi: 3\.1\.0$/m);
    for (const version of ["1.1", "1.2"] as const)
      expect(parse(await yaml.text(), { version })).toEqual(reference.contract);
  });

  test("sends no request to another origin and causes no browser error", () => {
    expect(shown.complaints).toEqual([]);
  });
});
