/** The console on a narrow and dark screen, without JavaScript, and opened by a platform's link. */
import { demo } from "@parley/database";
import { type Browser, hasChromium } from "@parley/testing/chromium";
import { flawless, PageTester } from "@parley/testing/page-tester";
import { startReceiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Demo } from "../src/testing/demo.ts";
import {
  admin,
  type ConsoleFixture,
  call,
  createWebhook,
  repairWebhook,
  startConsole,
} from "./console-fixture.ts";

describe.skipIf(!hasChromium)("the console with the demo", { timeout: 300_000 }, () => {
  let fixture: ConsoleFixture;
  let server: Demo;
  let browser: Browser;
  beforeAll(async () => {
    fixture = await startConsole();
    ({ server, browser } = fixture);
  });
  afterAll(() => fixture?.close());

  test("an admin repairs a webhook on a narrow and dark screen", async () => {
    expect(await repairWebhook(fixture, { colorScheme: "dark", width: 320 })).toEqual(flawless);
  });

  test("a webhook works without JavaScript and with only the keyboard", async () => {
    const receiver = await startReceiver();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const { keyboard } = page;
    await page.goto(`${server.url}/console/webhooks/new`);
    await page.locator("input[type=email]:focus").waitFor();
    await keyboard.type(admin);
    await keyboard.press("Tab");
    await keyboard.type(demo.password);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "New webhook" }).waitFor();
    await page.getByLabel("URL", { exact: true }).focus();
    await keyboard.type(receiver.url);
    await keyboard.press("Tab");
    await keyboard.press("ArrowUp"); // all event types
    await page.getByRole("button", { name: "Create webhook" }).focus();
    await keyboard.press("Enter");
    await page.getByText("The webhook was created.").waitFor();
    await page.getByRole("link", { name: "Send test event …" }).focus();
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "Send" }).focus();
    await keyboard.press("Enter");
    await page.getByText("The test event was sent. Response: 200").waitFor();
    expect(receiver.received).toHaveLength(1);
    await context.close();
    await receiver.close();
  });

  test("a platform's link opens the console once, with a role", async () => {
    const me = await call<{ data: { id: string } }>(server, "GET", "/api/v1/me");
    const path = `/api/platform/v1/organizations/${me.data.id}/console-links`;
    const create = async (role: string) => {
      const headers = { authorization: `Bearer ${server.platformKey}`, "content-type": "application/json" };
      const body = JSON.stringify({ role, name: "Mia Customer" });
      const response = await fetch(server.url + path, { method: "POST", headers, body });
      return ((await response.json()) as { data: { url: string } }).data.url;
    };
    const link = await create("member");
    const member = await PageTester.open(browser, server.url, { colorScheme: "light", width: 1280 });
    await member.page.goto(link);
    await member.page.getByText("Mia Customer").waitFor();
    expect(member.page.url()).toBe(`${server.url}/console`);
    expect(await member.judge("link-member")).toEqual(flawless);
    await member.page.goto(`${server.url}/console/webhooks`);
    expect(await member.page.getByRole("link", { name: "New webhook" }).count()).toBe(0);
    await member.page.goto(link);
    expect(await member.judge("link-used")).toEqual(flawless);
    await member.context.close();

    const receiver = await startReceiver();
    const customer = await PageTester.open(browser, server.url, { colorScheme: "dark", width: 320 });
    await customer.page.goto(await create("admin"));
    await createWebhook(customer, server, receiver);
    await customer.follow("Delete …");
    await customer.press("Delete");
    await customer.page.getByText("was deleted").waitFor();
    await customer.page.goto(`${server.url}/console/audit-log`);
    expect(await customer.judge("audit-log")).toEqual(flawless);
    await customer.context.close();
    await receiver.close();
  });
});
