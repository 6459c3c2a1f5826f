import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hasChromium, launchChromium } from "@parley/testing/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { client, type OAuthFixture, password, startOAuthFixture } from "../testing/fixture.ts";

describe.skipIf(!hasChromium)("the pages in Chromium, without JavaScript", () => {
  let fixture: OAuthFixture;
  let browser: Browser;
  let app: Server;
  let product: Server;
  const complaints: string[] = [];

  beforeAll(async () => {
    fixture = await startOAuthFixture();
    product = await serve(() => undefined);
    // A client's callback often sends the browser on, and form-action covers that redirect too.
    app = await serve((url) =>
      url.searchParams.has("on") ? `http://localhost:${portOf(product)}/` : undefined,
    );
    await fixture.db.oAuthClient.update({
      where: { id: client.client_id },
      data: { redirectUris: { push: "http://127.0.0.1/callback?on=1" } },
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    app?.close();
    product?.close();
    await fixture?.close();
  });

  async function newPage(options: { colorScheme: "light" | "dark"; width: number }): Promise<Page> {
    const viewport = { width: options.width, height: 700 };
    const context = await browser.newContext({ ...options, viewport, javaScriptEnabled: false });
    const page = await context.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    return page;
  }

  test.each([
    { colorScheme: "light", width: 1200 },
    { colorScheme: "dark", width: 320 },
  ] as const)("sign in, agree, be redirected and sent on: $colorScheme, $width px", async (options) => {
    const page = await newPage(options);
    const callback = `http://127.0.0.1:${portOf(app)}/callback`;
    await page.goto(fixture.page({ redirect_uri: callback }));
    await page.getByLabel("Email").fill(fixture.email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill(password);
    await page.getByLabel("Password").press("Enter");
    await page.getByRole("button", { name: "Allow" }).waitFor();
    expect((await page.locator("main").boundingBox())?.width).toBeLessThanOrEqual(options.width);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${callback}?code=parley_ac_*`);

    await page.goto(fixture.page({ redirect_uri: `${callback}?on=1` }));
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(`http://localhost:${portOf(product)}/`);

    await page.goto(fixture.page());
    await page.getByRole("button", { name: "Not you? Sign out" }).click();
    await page.getByLabel("Email").waitFor();
    expect(complaints).toEqual([]);
  });
});

async function serve(redirect: (url: URL) => string | undefined): Promise<Server> {
  const server = createServer((request, response) => {
    const location = redirect(new URL(request.url ?? "", "http://client"));
    response.writeHead(location ? 302 : 200, { "content-type": "text/html", ...(location && { location }) });
    response.end("<title>Client</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
