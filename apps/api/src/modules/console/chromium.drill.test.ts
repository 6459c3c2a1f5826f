import { type Browser, hasChromium, launchChromium } from "@parley/testing/chromium";
import { flawless, type Look, looks, PageTester } from "@parley/testing/page-tester";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { client, password } from "../oauth/testing/fixture.ts";
import { type ConsoleFixture, startConsole } from "./testing/console.ts";

describe.skipIf(!hasChromium)("the pages in Chromium", () => {
  let fixture: ConsoleFixture;
  let browser: Browser;
  beforeAll(async () => {
    fixture = await startConsole();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await fixture?.close();
  });

  const openTester = (look: Look) => PageTester.open(browser, fixture.url, look);

  test.each(looks)("sign-in, consent, errors: $colorScheme, $width px", async (look) => {
    const person = await fixture.person();
    const tester = await openTester(look);
    await tester.page.goto(fixture.page());
    expect(await tester.judge("sign-in")).toEqual(flawless);
    await tester.signIn(person.email, "wrong");
    await tester.page.getByRole("alert").waitFor();
    expect(await tester.judge("wrong-password")).toEqual(flawless);
    await tester.signIn(person.email, password);
    await tester.page.getByRole("button", { name: "Allow" }).waitFor();
    expect(await tester.judge("consent")).toEqual(flawless);
    await tester.page.goto(fixture.page({ client_id: "nobody" }));
    expect(await tester.judge("error")).toEqual(flawless);
    await tester.page.goto(`${fixture.clients}/nobody`);
    expect(await tester.judge("not-found")).toEqual(flawless);
    await tester.context.close();
  });

  test.each(looks)("connected apps: $colorScheme, $width px", async (look) => {
    const person = await fixture.person("member");
    const tester = await openTester(look);
    await tester.page.goto(fixture.apps);
    expect(await tester.judge("apps-sign-in")).toEqual(flawless);
    await tester.signIn(person.email, password);
    await tester.page.getByText("No app has access").waitFor();
    expect(await tester.judge("apps-empty")).toEqual(flawless);

    const { id } = await fixture.ownClient(
      person,
      "A long name of an app, which needs more than one line on a phone",
    );
    await fixture.connect(person, id, ["conversations:read", "leads:read", "leads:write", "tickets:read"], {
      lastUsedAt: new Date(),
    });
    await fixture.connect(person, client.client_id, ["webhooks:manage"]);
    await tester.page.reload();
    expect(await tester.judge("apps")).toEqual(flawless);
    await tester.page.getByRole("button", { name: "Revoke access" }).first().click();
    await tester.page.getByText("no longer has access").waitFor();
    expect(await tester.judge("apps-revoked")).toEqual(flawless);

    await tester.page.goto(fixture.clients);
    await tester.page.getByText("Ask an admin to do it").waitFor();
    expect(await tester.judge("not-admin")).toEqual(flawless);
    await tester.press("Sign out");
    await tester.page.getByLabel("Password").waitFor();
    await tester.context.close();
  });

  test.each(looks)("own apps: $colorScheme, $width px", async (look) => {
    const person = await fixture.person();
    const tester = await openTester(look);
    const { page } = tester;
    await page.goto(fixture.clients);
    await tester.signIn(person.email, password);
    await page.getByText("No apps yet.").waitFor();
    expect(await tester.judge("clients-empty")).toEqual(flawless);

    await page.getByLabel("Name").fill("Lead export");
    await page.getByLabel("Redirect URIs").fill("http://app.example.com/callback");
    await tester.press("Register");
    await page.getByText("must use https").waitFor();
    expect(await page.getByLabel("Redirect URIs").evaluate("document.activeElement.id")).toBe(
      "redirect_uris",
    );
    expect(await tester.judge("clients-error")).toEqual(flawless);

    await page
      .getByLabel("Redirect URIs")
      .fill("https://app.example.com/callback\nhttp://127.0.0.1/callback");
    await tester.press("Register");
    await page.getByRole("heading", { name: "Client secret" }).waitFor();
    expect(page.url()).toMatch(/\/console\/clients\/parley_ci_[0-9a-f]{24}$/);
    expect(await tester.judge("client-secret")).toEqual(flawless);
    await page.reload();
    expect(await page.getByText("Client secret").count()).toBe(0);
    await page.goBack().then(() => page.goForward());
    expect(await page.getByText("parley_cs_").count()).toBe(0);
    expect(await tester.judge("client")).toEqual(flawless);

    await tester.press("Create a new secret");
    await page.getByText("valid until").waitFor();
    expect(await tester.judge("client-rotated")).toEqual(flawless);
    await tester.press("Revoke the old secret now");
    await page.getByText("was revoked").waitFor();

    await page.getByRole("link", { name: "Delete …" }).click();
    await page.getByText("cannot be undone").waitFor();
    expect(await tester.judge("client-delete")).toEqual(flawless);
    await page.goto(fixture.clients);
    expect(await tester.judge("clients")).toEqual(flawless);
    await page.getByRole("link", { name: "Lead export" }).click();
    await page.getByRole("link", { name: "Delete …" }).click();
    await tester.press("Delete");
    await page.getByText("Lead export was deleted.").waitFor();
    await tester.context.close();
  });

  test("everything works without JavaScript and with only the keyboard", async () => {
    const person = await fixture.person();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(fixture.clients);
    await page.locator("input[type=email]:focus").waitFor();
    await page.keyboard.type(person.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await page.getByLabel("Name").focus();
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Tab");
    await page.keyboard.type("https://app.example.com/callback");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown"); // public
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("By keyboard was registered.").waitFor();
    expect(await page.getByText("no secret, requires PKCE").count()).toBe(1);
    await context.close();
  });
});
