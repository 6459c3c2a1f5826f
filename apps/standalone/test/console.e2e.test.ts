/** The console in a browser, with the server of `npm start`: from a new webhook over a broken receiver to a repeated delivery. */
import { demo } from "@parley/database";
import { verifyWebhook } from "@parley/sdk/webhooks";
import { type Browser, hasChromium, launchChromium } from "@parley/testing/chromium";
import { flawless, looks, PageTester } from "@parley/testing/page-tester";
import { type Receiver, respondingWith, startReceiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Demo, startDemo } from "../src/testing/demo.ts";

const admin = "pro@demo.parley.dev";

describe.skipIf(!hasChromium)("the console with the demo", { timeout: 120_000 }, () => {
  let server: Demo;
  let browser: Browser;
  beforeAll(async () => {
    server = await startDemo();
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
    const response = await fetch(server.url + path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    return (await response.json()) as Body;
  }

  /** Creates a lead, which is an event. Returns its ID. */
  async function createLead(name: string): Promise<string> {
    const chatbots = await call<{ data: { id: string }[] }>("GET", "/api/v1/chatbots");
    const lead = { chatbot_id: chatbots.data[0]?.id, contact: { name } };
    const created = await call<{ data: { id: string } }>("POST", "/api/v1/leads", lead);
    return created.data.id;
  }

  /** Reloads the page until it shows a text. */
  async function waitForText({ page }: PageTester, text: string | RegExp): Promise<void> {
    await vi.waitFor(
      async () => {
        await page.reload();
        expect(await page.getByText(text).count()).toBeGreaterThan(0);
      },
      { timeout: 20_000, interval: 300 },
    );
  }

  async function createWebhook(tester: PageTester, receiver: Receiver): Promise<string> {
    const { page } = tester;
    await page.goto(`${server.url}/console/webhooks`);
    await tester.follow("New webhook");
    await page.getByLabel("URL", { exact: true }).fill(receiver.url);
    await page.getByLabel("lead.created").check();
    await tester.press("Create webhook");
    return (await page.locator(".secret code").textContent()) ?? "";
  }

  test.each(looks)("an admin repairs a webhook: $colorScheme, $width px", async (look) => {
    const receiver = await startReceiver();
    const tester = await PageTester.open(browser, server.url, look);
    const { page } = tester;
    await page.goto(`${server.url}/console`);
    await tester.signIn(admin, demo.password);
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    // Subscribes: the URL is checked, an error is shown at its field, the secret is shown once.
    await page.goto(`${server.url}/console/webhooks/new`);
    await page.getByLabel("URL", { exact: true }).fill("http://example.com/");
    await tester.press("Check URL");
    await page.getByText("Must be an https URL").waitFor();
    await page.getByLabel("URL", { exact: true }).fill(receiver.url);
    await tester.press("Check URL");
    await page.getByText("The server can be reached. It responded to HEAD with 200").waitFor();
    await tester.press("Create webhook");
    await page.getByText("Select at least one event type").waitFor();
    expect(await tester.judge("webhook-form-rejected")).toEqual(flawless);
    const secret = await createWebhook(tester, receiver);
    expect(secret).toMatch(/^parley_ws_[\w-]{43}$/);
    expect(await tester.judge("webhook-created")).toEqual(flawless);
    const webhook = page.url();
    await page.reload();
    expect(await page.getByText(secret).count()).toBe(0);

    // A delivery arrives, and its signature is valid.
    receiver.received.length = 0;
    await createLead("Ada <b>Novak</b>");
    await waitForText(tester, "Delivered");
    const [first] = receiver.received;
    const { body: payload = "", headers = {} } = first ?? {};
    expect(await verifyWebhook({ payload, headers, secret })).toMatchObject({ type: "lead.created" });

    // The receiver breaks. The console says why in three clicks: overview, webhook, delivery.
    receiver.respond = (response) => response.writeHead(503).end('{"error":"the database is down"}');
    const lead = await createLead("مريم 👩🏽‍💻");
    await page.goto(`${server.url}/console`);
    await waitForText(tester, "the receiver responded with 503");
    expect(await tester.judge("overview-retrying")).toEqual(flawless);
    await tester.follow(receiver.url);
    await page.getByText("attempt failed in a row").waitFor();
    expect(await tester.judge("webhook-retrying")).toEqual(flawless);
    await page
      .getByRole("row", { name: /Retrying/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByText('"the database is down"').waitFor();
    expect(await page.getByRole("heading", { name: "Verify it yourself" }).count()).toBe(1);
    expect(await tester.judge("delivery-retrying")).toEqual(flawless);

    // It is repaired, and the delivery arrives.
    receiver.respond = respondingWith(200);
    receiver.received.length = 0;
    await page.getByRole("link", { name: "Resume it" }).click();
    expect(await tester.judge("resume")).toEqual(flawless);
    await tester.press("Resume");
    await page.getByText("The webhook was resumed.").waitFor();
    await vi.waitFor(() => expect(receiver.received.at(-1)?.body).toContain(lead), { timeout: 10_000 });
    await waitForText(tester, "Each event is sent when it happens");

    // The record's events and deliveries are found by its ID.
    await page.goto(`${server.url}/console/deliveries`);
    await page.getByLabel("Record or event ID").fill(lead);
    await tester.press("Apply");
    await page.getByRole("cell", { name: "Delivered" }).first().waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1);
    expect(await tester.judge("deliveries-of-a-record")).toEqual(flawless);

    // The receiver fails for good: the subscription fails, and says what to do.
    receiver.respond = respondingWith(410);
    await createLead("Gone");
    await page.goto(webhook);
    await waitForText(tester, "Nothing is sent.");
    expect(await tester.judge("webhook-failed")).toEqual(flawless);
    await createLead("In the gap");
    receiver.respond = respondingWith(200);
    receiver.received.length = 0;
    await tester.follow("Resume …");
    await page.getByLabel("Also send the events that happened while it was failed").check();
    await tester.press("Resume");
    await page.getByText(/deliver(y was|ies were) created for the time of the failure/).waitFor();
    await vi.waitFor(() => expect(receiver.received.map(({ body }) => body).join()).toContain("In the gap"), {
      timeout: 10_000,
    });

    // A range is redelivered, with a preview and progress.
    await page.goto(`${webhook}/redelivery`);
    await page.getByLabel("Deliveries that are").selectOption("delivered");
    await tester.press("Apply");
    const button = page.getByRole("button", { name: /^Redeliver \d+$/ });
    const wanted = Number((await button.textContent())?.replace("Redeliver ", ""));
    expect(wanted).toBeGreaterThanOrEqual(3);
    expect(await tester.judge("redelivery-preview")).toEqual(flawless);
    receiver.received.length = 0;
    await button.click();
    await page.getByRole("heading", { name: "Redelivery" }).waitFor();
    expect(await tester.judge("redelivery-progress")).toEqual(flawless);
    // The page updates itself.
    await page.getByText(`Finished: ${wanted} deliveries`).waitFor({ timeout: 20_000 });
    expect(receiver.received.map(({ headers }) => headers["x-parley-redelivery"])).toEqual(
      new Array(wanted).fill("true"),
    );

    await page.goto(webhook);
    await tester.follow("Send test event …");
    await tester.press("Send");
    await page.getByText("The test event was sent. Response: 200").waitFor();
    expect(await tester.judge("test-sent")).toEqual(flawless);
    await page.goto(webhook);
    await tester.follow("Rotate secret …");
    await tester.press("Create a new secret");
    expect(await page.locator(".secret code").textContent()).not.toBe(secret);
    await tester.follow("Delete …");
    expect(await tester.judge("delete")).toEqual(flawless);
    await tester.press("Delete");
    await page.getByText(`The webhook to ${receiver.url} was deleted.`).waitFor();
    await tester.context.close();
    await receiver.close();
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
    const me = await call<{ data: { id: string } }>("GET", "/api/v1/me");
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
    await createWebhook(customer, receiver);
    await customer.follow("Delete …");
    await customer.press("Delete");
    await customer.page.getByText("was deleted").waitFor();
    await customer.page.goto(`${server.url}/console/audit-log`);
    expect(await customer.judge("audit-log")).toEqual(flawless);
    await customer.context.close();
    await receiver.close();
  });
});
