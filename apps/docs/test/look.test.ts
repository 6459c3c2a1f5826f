/** How the page looks to everybody: in light and dark, on a phone, to a screen reader, by keyboard. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { hasChromium } from "@parley/testing/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Reference, type ReferencePage, startReference } from "./reference-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A folder for pictures of every state, to look at; none are taken otherwise. */
const pictures = process.env["PAGE_PICTURES"];
if (pictures) mkdirSync(pictures, { recursive: true });

/** Redoc renders sections bit by bit; what is half there may be too pale or too wide. */
const patience = { timeout: 60_000 };

/** Rules of axe that Redoc itself breaks, where neither style nor options help. */
const redocs = [
  "heading-order", // An operation's title is an h2, the headings of its request and its answers are h4.
];

/** The introduction, a chapter, an operation with a body, one without, an event, pages for people. */
const addresses = [
  "/",
  "/verifying-webhooks",
  "/errors",
  "/leads/createlead",
  "/webhook-deliveries/listdeliveries",
  "/lead-events/paths/lead.created/post",
  "/account-pages/showclients",
];

interface Look {
  colorScheme: "light" | "dark";
  width: number;
}
const looks: Look[] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 360 },
];

describe.skipIf(!hasChromium)("the page", { timeout: 240_000 }, () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await startReference();
  });
  afterAll(() => reference?.close());

  function openAs({ colorScheme, width }: Look): Promise<ReferencePage> {
    const permissions = ["clipboard-read", "clipboard-write"];
    return reference.open({ colorScheme, viewport: { width, height: 900 }, permissions });
  }

  /** What axe finds of everything that is shown, but for Redoc's own. */
  async function faultsOf({ page }: ReferencePage): Promise<string[]> {
    await page.evaluate(axe);
    const rules = Object.fromEntries(redocs.map((id) => [id, { enabled: false }]));
    return (await page.evaluate(
      `axe.run({ rules: ${JSON.stringify(rules)} }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
    )) as string[];
  }

  /** Accessible by axe's rules and no wider than the window, once it has settled; with a picture. */
  async function judge(shown: ReferencePage, { colorScheme, width }: Look, state: string): Promise<void> {
    const judgement = async () => {
      const surplus = await shown.page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      return { state, surplus, faults: await faultsOf(shown) };
    };
    await expect.poll(judgement, patience).toEqual({ state, surplus: 0, faults: [] });
    const name = `${colorScheme}-${width}${state.replaceAll(/[/ ]/g, "-")}.png`;
    if (pictures) await shown.page.screenshot({ path: join(pictures, name) });
  }

  test.each(looks)("can be read by everybody: $colorScheme, $width px", async (look) => {
    const shown = await openAs(look);
    const { page } = shown;
    expect(await page.locator("html").getAttribute("class")).toContain(look.colorScheme);
    for (const address of addresses) {
      await shown.visit(address);
      await judge(shown, look, address);
    }
    if (look.width < 1000) {
      await page.getByRole("button", { name: "Open navigation menu" }).click();
      await page.getByRole("navigation").locator('a[href="#/authentication"]').waitFor();
      await judge(shown, look, " menu");
    }
    await page.keyboard.press("Control+K");
    await page.keyboard.type("redeliver");
    const hits = page.getByRole("dialog", { name: "Search" }).locator("a");
    await hits.first().waitFor();
    await judge(shown, look, " search");
    const widths = await hits.evaluateAll((all) => all.map(({ scrollWidth }) => scrollWidth));
    expect(Math.max(...widths)).toBeLessThanOrEqual(look.width);
    expect(shown.complaints).toEqual([]);
    await page.context().close();
  });

  test("the code of a chapter is copied with a button, by keyboard as well", async () => {
    const { page } = await openAs({ colorScheme: "light", width: 1280 });
    const block = page.locator(".code-block").first();
    await block.locator("pre").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await block.locator("pre").textContent());
    await page.context().close();
  });
});
