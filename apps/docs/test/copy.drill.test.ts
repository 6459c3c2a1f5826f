/** The Copy buttons. */
import { hasChromium } from "@parley/testing/chromium";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Contract, callsOf } from "../src/calls.ts";
import { withSamples } from "../src/samples.ts";
import { type Reference, type ReferencePage, startReference } from "./reference-page.ts";
import { codeOf, eventsOf, operationsOf } from "./sections.ts";

describe.skipIf(!hasChromium)("a Copy button", { timeout: 240_000 }, () => {
  let reference: Reference;
  let shown: ReferencePage;

  beforeAll(async () => {
    reference = await startReference();
    const permissions = ["clipboard-read", "clipboard-write"];
    shown = await reference.open({ viewport: { width: 1280, height: 900 }, permissions });
  });
  afterAll(() => reference?.close());

  /** Presses the button, without the mouse because scrolling the long page is slow, and returns the new content of the clipboard. */
  const copyWith = (button: Locator): Promise<string> =>
    button.evaluate(async (element) => {
      await navigator.clipboard.writeText("nothing was copied");
      (element as HTMLElement).click();
      const giveUpAt = Date.now() + 20_000;
      for (;;) {
        const copied = await navigator.clipboard.readText();
        if (copied !== "nothing was copied" || Date.now() > giveUpAt) return copied;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });

  /** Returns the code as the page shows it, with the address of this server. */
  function asShown(code: string): string {
    const demo = "http://127.0.0.1:8080";
    const { origin } = new URL(reference.url);
    return code
      .replaceAll(demo, origin)
      .replaceAll(encodeURIComponent(demo), encodeURIComponent(origin))
      .replaceAll("\t", "    ") // Redoc shows tabs as spaces.
      .trimEnd();
  }

  test("of the guide copies its code block, and every block has a button", async () => {
    const copied: string[] = [];
    for (const block of await shown.page.locator(".code-block").all()) {
      const code = await copyWith(block.getByRole("button", { name: "Copy" }));
      expect(code).toBe(await block.locator("pre").textContent());
      copied.push(code.trimEnd());
    }
    const code = codeOf(reference.contract).map(asShown);
    expect(code.length).toBeGreaterThan(30);
    expect(copied.toSorted()).toEqual(code.toSorted());
  });

  test("of the guide works with the mouse", async () => {
    await shown.page.evaluate(() => navigator.clipboard.writeText("nothing was copied"));
    const block = shown.page.locator(".code-block").first();
    await block.getByRole("button", { name: "Copy" }).click();
    const copied = () => shown.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied, { timeout: 20_000 }).toBe(await block.locator("pre").textContent());
  });

  test("of the guide works by keyboard and announces the result", async () => {
    const block = shown.page.locator(".code-block").first();
    await block.locator("pre").focus();
    await shown.page.keyboard.press("Tab");
    await shown.page.evaluate(() => navigator.clipboard.writeText("nothing was copied"));
    await shown.page.keyboard.press("Enter");
    await shown.page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
    const copied = await shown.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await block.locator("pre").textContent());
  });

  test.each(["curl", "TypeScript"])(
    "of a %s sample copies the sample, for every operation",
    async (label) => {
      const { origin } = new URL(reference.url);
      const calls = callsOf(withSamples(reference.contract as unknown as Contract, origin));
      expect(calls.length).toBeGreaterThan(40);
      for (const [{ operationId, "x-codeSamples": samples }] of calls) {
        const section = operationsOf(reference.contract).find(({ address }) =>
          address.endsWith(`/operation/${operationId}`),
        );
        const operation = shown.page.locator(`[id="${section?.address}"]`);
        await operation.getByRole("tab", { name: label, exact: true }).dispatchEvent("click");
        const sample = operation.getByRole("tabpanel").filter({ has: shown.page.locator("pre") });
        const copied = await copyWith(sample.getByRole("button", { name: "Copy" }));
        expect(copied).toBe(samples?.find((each) => each.label === label)?.source);
      }
    },
  );

  test("of an event's payload copies the JSON, for every event", async () => {
    for (const { address, title } of eventsOf(reference.contract)) {
      const { post } = reference.contract.webhooks[title] ?? {};
      const example = post?.requestBody?.content["application/json"].example;
      const payload = shown.page.locator(`[id="${address}"]`).getByRole("tabpanel").first();
      const copied = await copyWith(payload.getByRole("button", { name: "Copy" }));
      expect(JSON.parse(copied)).toEqual(example);
    }
  });
});
