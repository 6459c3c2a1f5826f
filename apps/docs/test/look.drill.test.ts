/** The appearance and accessibility of the page: light and dark, on a phone, with a screen reader, by keyboard. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { hasChromium } from "@parley/testing/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { colorRules, cutOff, faultsOf, looks } from "./reference-look.ts";
import { type Reference, startReference } from "./reference-page.ts";

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

/** The others have the same elements; look.release.test.ts checks the whole page. */
const sections = [...addresses, "tag/Leads/operation/updateLead"].map((address) => `[id="${address}"]`);

describe.skipIf(!hasChromium)("the page", { timeout: 240_000 }, () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await startReference();
  });
  afterAll(() => reference?.close());

  test.each(looks)("is accessible: $colorScheme, $width px", async ({ colorScheme, width }) => {
    const shown = await reference.open({ colorScheme, viewport: { width, height: 900 } });
    const { page } = shown;
    // Both color schemes have the same elements and sizes, so the dark scheme only needs the rules about colors.
    const rules = colorScheme === "dark" ? colorRules : undefined;
    /** Expects that the elements of selectors violate no rule, and that no element is wider than the window. */
    const expectAccessible = async (selectors: string[]) => {
      const faults = await faultsOf(shown, selectors, rules);
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
      await expectAccessible(sections);
      await page.getByRole("button", { name: "Open or close the contents" }).press("Enter");
      await page.getByRole("menuitem", { name: "Authorize users" }).waitFor();
      await takePicture("menu");
    }
    await page.getByRole("textbox", { name: "Search" }).fill("redeliver");
    await page.locator('[data-role="search:results"] li').first().waitFor();
    await expectAccessible(width < 800 ? [".menu-content"] : [".menu-content", ...sections]);
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
