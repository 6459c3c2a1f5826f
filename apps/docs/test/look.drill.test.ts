/** The appearance and accessibility of the page: light and dark, on a phone, with a screen reader, by keyboard. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { hasChromium } from "@parley/testing/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Reference, type ReferencePage, startReference } from "./reference-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A folder for screenshots of every state; none are taken if it is not set. */
const pictures = process.env["PAGE_PICTURES"];
if (pictures) mkdirSync(pictures, { recursive: true });

/** A chapter, a table, operations with and without a body, an event. */
const addresses = [
  "tag/receiving-webhooks",
  "tag/errors",
  "tag/Leads/operation/createLead",
  "tag/Webhook-deliveries/operation/listWebhookDeliveries",
  "tag/Platform/operation/writeBatch",
  "tag/Lead-events/operation/receiveLeadCreated",
];

/** The rules of axe whose result depends on colors. */
const colorRules = ["color-contrast", "link-in-text-block"];

interface Look {
  colorScheme: "light" | "dark";
  width: number;
}
const looks: Look[] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
];

describe.skipIf(!hasChromium)("the page", { timeout: 240_000 }, () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await startReference();
  });
  afterAll(() => reference?.close());

  /** Returns the violations of axe's rules in the elements of a selector. @param rules default: all */
  async function faultsOf({ page }: ReferencePage, selector: string, rules?: string[]): Promise<string[]> {
    await page.evaluate(axe);
    const options = { resultTypes: ["violations"], selectors: false, ...(rules && { runOnly: rules }) };
    return (await page.evaluate(
      `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)}).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
    )) as string[];
  }

  /** Returns elements that extend beyond the window and cannot be scrolled into view. */
  function cutOff({ page }: ReferencePage): Promise<string[]> {
    return page.$$eval(".redoc-wrap, .redoc-wrap *", (elements) => {
      const scrolls = (element: Element | null): boolean =>
        element !== null &&
        !element.matches(".api-content, .redoc-wrap") &&
        (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
      return elements
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
        .filter((element) => element.checkVisibility() && !scrolls(element))
        .map((element) => element.outerHTML.slice(0, 200));
    });
  }

  test.each(looks)("is accessible: $colorScheme, $width px", async ({ colorScheme, width }) => {
    const shown = await reference.open({ colorScheme, viewport: { width, height: 900 } });
    const { page } = shown;
    // Both color schemes have the same elements and sizes, so the dark scheme only needs the rules about colors.
    const rules = colorScheme === "dark" ? colorRules : undefined;
    /** Expects that the elements of a selector violate no rule, and that no element is wider than the window. */
    const expectAccessible = async (selector: string) => {
      const faults = await faultsOf(shown, selector, rules);
      expect({ cut: await cutOff(shown), faults }).toEqual({ cut: [], faults: [] });
    };
    const takePicture = async (state: string) => {
      const name = `${colorScheme}-${width}-${state.replaceAll("/", "-")}.png`;
      if (pictures) await page.screenshot({ path: join(pictures, name) });
    };
    await takePicture("top");
    if (pictures)
      for (const address of addresses) {
        await shown.visit(address);
        await takePicture(address);
      }

    await shown.visit("tag/Leads/operation/updateLead");
    const operation = page.locator('[id="tag/Leads/operation/updateLead"]');
    await operation.getByRole("button", { name: "Authorizations" }).press("Enter");
    await operation.getByText("Required scopes").waitFor();
    for (const status of ["200", "403"])
      await operation.getByRole("button", { name: new RegExp(`^${status} `) }).click();
    await takePicture("opened");

    // On a phone the menu covers everything else.
    if (width < 800) {
      await expectAccessible("html");
      await page.getByRole("button", { name: "Open or close the contents" }).press("Enter");
      await page.getByRole("menuitem", { name: "Authorize users" }).waitFor();
      await takePicture("menu");
    }
    await page.getByRole("textbox", { name: "Search" }).fill("redeliver");
    await page.locator('[data-role="search:results"] li').first().waitFor();
    await expectAccessible(width < 800 ? ".menu-content" : "html");
    await takePicture("search");
    expect(shown.complaints).toEqual([]);
    await page.context().close();
  });

  test("follows the system from light to dark while it is open", async () => {
    const { page } = await reference.open({ colorScheme: "light" });
    const background = () =>
      page.evaluate(
        () => getComputedStyle(document.querySelector(".menu-content") as Element).backgroundColor,
      );
    /** A digest of the elements with their attributes and sizes, apart from styles. */
    const elements = async () => {
      await page.waitForSelector(".api-content");
      const listed = await page.evaluate(() =>
        [...document.querySelectorAll("body *")].map((element) => {
          const named = [...element.attributes].filter(({ name }) => !["class", "style"].includes(name));
          const attributes = named.map(({ name, value }) => `${name}=${value}`);
          return [element.tagName, ...attributes, element.clientWidth, element.clientHeight].join(" ");
        }),
      );
      return { count: listed.length, digest: createHash("sha256").update(listed.join("\n")).digest("hex") };
    };
    const light = await background();
    const elementsInLight = await elements();
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => background().catch(() => light), { timeout: 20_000 }).not.toBe(light);
    expect(await elements()).toEqual(elementsInLight); // So the rules that ignore colors need only one scheme.
    await page.context().close();
  });
});
