import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contrastViolations, hasChromium, launchChromium } from "@parley/testing/chromium";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { password } from "../oauth/testing/fixture.ts";
import { type ConsoleFixture, startConsole } from "./testing/console.ts";

/** Logo whose script would change the title of the page. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><script>parent.document.title = "run"</script>
<rect width="40" height="10"/></svg>`;

const folder = mkdtempSync(join(tmpdir(), "parley-brand-"));
const file = join(folder, "logo.svg");
writeFileSync(file, svg);
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!hasChromium)("the brand in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  async function openPage(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (!/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    return { page, complaints };
  }

  async function judge(page: Page) {
    const image = page.locator("header img");
    await image.evaluate("element => element.decode()");
    return {
      violations: await contrastViolations(page),
      title: (await page.title()).split(" – ").at(-1),
      header: await page.locator(".brand bdi").textContent(),
    };
  }
  /** Opens each kind of page. Returns what is wrong with it, and what the browser complains about. */
  async function judgeAll(fixture: ConsoleFixture, colorScheme: "light" | "dark") {
    const context = await browser.newContext({ colorScheme });
    const { page, complaints } = await openPage(context);
    const { email } = await fixture.person();
    const judgements: Record<string, Awaited<ReturnType<typeof judge>>> = {};
    await page.goto(fixture.page());
    judgements["sign-in"] = await judge(page);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Allow" }).hover();
    judgements["consent"] = await judge(page);
    const addresses = {
      console: fixture.clients,
      "not found": `${fixture.url}/console/nothing`,
      "invalid authorization request": fixture.page({ client_id: "x" }),
      "invalid link": `${fixture.url}/console/link?token=x`,
    };
    for (const [name, url] of Object.entries(addresses)) {
      await page.goto(url);
      judgements[name] = await judge(page);
    }
    await context.close();
    return { judgements, complaints };
  }

  const flawless = { violations: [], title: "Acme & Co", header: "Acme & Co" };

  test.each(["#ffff00", "#000000"])(
    "%s is readable on sign-in, consent, console and error pages, light and dark, with name and logo",
    async (accent) => {
      const fixture = await startConsole({
        CONSOLE_NAME: "Acme & Co",
        CONSOLE_LOGO: file,
        CONSOLE_ACCENT: accent,
      });
      for (const colorScheme of ["light", "dark"] as const) {
        const { judgements, complaints } = await judgeAll(fixture, colorScheme);
        expect(Object.keys(judgements)).toHaveLength(6);
        for (const judgement of Object.values(judgements)) expect(judgement).toEqual(flawless);
        expect(complaints).toEqual([]);
      }
      await fixture.close();
    },
    60_000,
  );
});

test.each<[string, object, string]>([
  ["without a logo", {}, ""],
  ["with a logo", { CONSOLE_LOGO: file }, "img-src data:; "],
])("the Content-Security-Policy %s allows only what is needed", async (_name, variables, images) => {
  const fixture = await startConsole(variables);
  const response = await fetch(`${fixture.url}/console/link`);
  expect(response.headers.get("content-security-policy")).toMatch(
    new RegExp(
      `^default-src 'none'; style-src 'sha256-[\\w+/]{43}='; ${images}form-action 'self'; frame-ancestors 'none'; base-uri 'none'$`,
    ),
  );
  expect(await response.text()).not.toContain("<script");
  await fixture.close();
});
