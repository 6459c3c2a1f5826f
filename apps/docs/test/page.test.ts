import { hasChromium } from "@parley/testing/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Reference, type ReferencePage, startReference } from "./reference-page.ts";
import { chaptersOf, eventsOf, operationsOf, type Section } from "./sections.ts";

/** Redoc renders a section when it comes into view. */
const patience = { timeout: 60_000 };

describe.skipIf(!hasChromium)("the page in a browser", { timeout: 240_000 }, () => {
  let reference: Reference;
  let shown: ReferencePage;
  const links = new Set<string>();
  const visited = new Set<string>();

  beforeAll(async () => {
    reference = await startReference();
    shown = await reference.open();
  });
  afterAll(() => reference?.close());

  /** Goes there and collects the links that are there. */
  async function visit(address: string): Promise<void> {
    await shown.visit(address);
    const selector = '.menu-content a[href^="#"], [data-component-name="Markdown/Markdown"] a[href^="#"]';
    const found = await shown.page.$$eval(selector, (anchors) =>
      anchors.map((a) => a.getAttribute("href") ?? ""),
    );
    for (const href of found) links.add(decodeURIComponent(href.slice(1)));
    visited.add(address);
  }

  async function expectSection({ address, title }: Section): Promise<void> {
    await visit(address);
    const section = shown.page.locator(`[id="${address.slice(1)}"]`);
    await section.locator("h2", { hasText: title }).first().waitFor();
  }

  test("the introduction names this server in its commands", async () => {
    const text = await shown.page.textContent("#api-content");
    expect(text).toContain("Quick start");
    expect(text).toContain(`curl ${new URL(reference.url).origin}/api/oauth/token`);
    expect(text).not.toContain("127.0.0.1:8080");
    expect(await shown.page.title()).toBe("Parley API reference");
    await visit("/");
  });

  test("every chapter and its sections are shown", async () => {
    const chapters = chaptersOf(reference.contract);
    expect(chapters.length).toBeGreaterThan(20);
    for (const chapter of chapters) await expectSection(chapter);
  });

  test("every operation is shown", async () => {
    const operations = operationsOf(reference.contract);
    expect(operations.length).toBeGreaterThan(15);
    for (const operation of operations) await expectSection(operation);
  });

  test("all 22 webhook events are shown", async () => {
    const events = eventsOf(reference.contract);
    expect(events).toHaveLength(22);
    for (const event of events) await expectSection(event);
  });

  test("an event tells when it is sent, and shows its payload", async () => {
    for (const { address, title } of eventsOf(reference.contract)) {
      const { post } = reference.contract.webhooks[title] ?? {};
      const example = post?.requestBody?.content["application/json"].example;
      await visit(address);
      const section = shown.page.locator(`[id="${address.slice(1)}"]`);
      const [headline = ""] = /(?<=\*\*).+(?=\*\*)/.exec(post?.description ?? "") ?? [];
      await expect.poll(() => section.textContent(), patience).toContain(headline);
      const payload = section.locator(".panel-request-samples");
      await expect.poll(() => payload.textContent(), patience).toContain(example?.id ?? "missing");
    }
  });

  test("every link within the page leads somewhere", async () => {
    expect(links.size).toBeGreaterThan(60);
    for (const address of links) if (!visited.has(address)) await visit(address);
    expect([...links].filter((address) => !visited.has(address))).toEqual([]);
  });

  test("every file that the page links is there", async () => {
    await visit("/");
    const addresses = await shown.page.$$eval("#api-content a[href]", (anchors) =>
      (anchors as HTMLAnchorElement[]).map(({ href }) => href),
    );
    const files = new Set(addresses.filter((href) => href.startsWith(reference.url) && !href.includes("#")));
    expect([...files].map((file) => file.slice(reference.url.length)).toSorted()).toEqual([
      "first-webhook.arazzo.yaml",
      "openapi.json",
      "openapi.yaml",
    ]);
    for (const file of files) {
      const answer = await shown.page.request.get(file);
      expect({ file, status: answer.status() }).toEqual({ file, status: 200 });
    }
  });

  test("an operation is shown in curl and in TypeScript, with this server's address", async () => {
    await visit("/leads/createlead");
    const { origin } = new URL(reference.url);
    const samples = shown.page.locator('[id="leads/createlead"] .panel-request-samples');
    await expect.poll(() => samples.textContent(), patience).toContain(`curl ${origin}/api/v1/leads`);
    await samples.getByRole("button", { name: "curl" }).click();
    await shown.page.getByRole("menuitem", { name: "TypeScript" }).click();
    await expect.poll(() => samples.textContent(), patience).toContain(`baseUrl: "${origin}"`);
    expect(await samples.textContent()).toContain("parley.leads.create(");
  });

  test.each([
    [
      "an operation",
      "subscribe to events",
      "/webhook-subscriptions/createsubscription",
      "Subscribe to events",
    ],
    ["an event", "threshold", "/other-events/paths/usage.threshold_reached/post", "usage.threshold_reached"],
  ])("the search finds %s and leads to it", async (_, words, address, title) => {
    await shown.page.keyboard.press("Control+K");
    await shown.page.keyboard.type(words);
    await shown.page.locator(`[data-testid="search-dialog"] a[href$="${address}"]`).first().click();
    await shown.page.waitForURL(`**/docs/#${address}`);
    const heading = shown.page.locator("h2", { hasText: title }).first();
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
  });

  test("the contract can be downloaded as JSON and as YAML, and both are the same", async () => {
    await shown.page.goto(`${reference.url}#/`);
    await shown.page.locator('a[href="openapi.json"]').first().waitFor();
    await shown.page.locator('a[href="openapi.yaml"]').first().waitFor();

    const json = await shown.page.request.get(`${reference.url}openapi.json`);
    const yaml = await shown.page.request.get(`${reference.url}openapi.yaml`);
    expect(await json.json()).toEqual(reference.contract);
    expect(await yaml.text()).toMatch(/^openapi: 3\.1\.0$/m);
    for (const version of ["1.1", "1.2"] as const)
      expect(parse(await yaml.text(), { version })).toEqual(reference.contract);
  });

  test("nothing was asked of another origin, and the browser had no complaint", () => {
    expect(shown.complaints).toEqual([]);
  });
});
