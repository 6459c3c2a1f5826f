import { demo } from "@parley/database";
import { verifyWebhook } from "@parley/sdk/webhooks";
import { type Browser, launchChromium } from "@parley/testing/chromium";
import { flawless, type Look, PageTester } from "@parley/testing/page-tester";
import { type Receiver, respondingWith, startReceiver } from "@parley/webhooks/testing";
import { expect, vi } from "vitest";
import { type Demo, startDemo } from "../src/testing/demo.ts";

export const admin = "pro@demo.parley.dev";

/** The server of `npm start`, and a browser. */
export interface ConsoleFixture {
  server: Demo;
  browser: Browser;
  close(): Promise<void>;
}

export async function startConsole(): Promise<ConsoleFixture> {
  const server = await startDemo();
  const browser = await launchChromium();
  return {
    server,
    browser,
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}

export async function call<Body>(server: Demo, method: string, path: string, body?: object): Promise<Body> {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const response = await fetch(server.url + path, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  return (await response.json()) as Body;
}

/** Creates a lead, which is an event. Returns its ID. */
async function createLead(server: Demo, name: string): Promise<string> {
  const chatbots = await call<{ data: { id: string }[] }>(server, "GET", "/api/v1/chatbots");
  const lead = { chatbot_id: chatbots.data[0]?.id, contact: { name } };
  const created = await call<{ data: { id: string } }>(server, "POST", "/api/v1/leads", lead);
  return created.data.id;
}

const soon = { timeout: 60_000, interval: 300 };

/** Reloads the page until it shows a text. */
async function waitForText({ page }: PageTester, text: string | RegExp): Promise<void> {
  await vi.waitFor(async () => {
    await page.reload();
    expect(await page.getByText(text).count()).toBeGreaterThan(0);
  }, soon);
}

/** Creates a webhook for `lead.created` in the console. Returns the secret that the page shows. */
export async function createWebhook(tester: PageTester, server: Demo, receiver: Receiver): Promise<string> {
  const { page } = tester;
  await page.goto(`${server.url}/console/webhooks`);
  await tester.follow("New webhook");
  await page.getByLabel("URL", { exact: true }).fill(receiver.url);
  await page.getByLabel("lead.created").check();
  await tester.press("Create webhook");
  return (await page.locator(".secret code").textContent()) ?? "";
}

/** From a new webhook over a broken receiver to a repeated delivery. Judges each state, and returns the judgment of the last one. */
export async function repairWebhook(console: ConsoleFixture, look: Look): Promise<typeof flawless> {
  const { server } = console;
  const receiver = await startReceiver();
  const tester = await PageTester.open(console.browser, server.url, look);
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
  const secret = await createWebhook(tester, server, receiver);
  expect(secret).toMatch(/^parley_ws_[\w-]{43}$/);
  expect(await tester.judge("webhook-created")).toEqual(flawless);
  const webhook = page.url();
  await page.reload();
  expect(await page.getByText(secret).count()).toBe(0);

  // A delivery arrives, and its signature is valid.
  receiver.received.length = 0;
  await createLead(server, "Ada <b>Novak</b>");
  await waitForText(tester, "Delivered");
  const [first] = receiver.received;
  const { body: payload = "", headers = {} } = first ?? {};
  expect(await verifyWebhook({ payload, headers, secret })).toMatchObject({ type: "lead.created" });

  // The receiver breaks. The console says why in three clicks: overview, webhook, delivery.
  receiver.respond = (response) => response.writeHead(503).end('{"error":"the database is down"}');
  const lead = await createLead(server, "مريم 👩🏽‍💻");
  await page.goto(`${server.url}/console`);
  await waitForText(tester, "the receiver responded with 503");
  expect(await tester.judge("overview-retrying")).toEqual(flawless);
  await tester.follow(receiver.url);
  await page.getByText(/attempts? failed in a row/).waitFor();
  expect(await tester.judge("webhook-retrying")).toEqual(flawless);
  await page
    .getByRole("row", { name: /Retrying/ })
    .getByRole("link")
    .first()
    .click();
  await page.getByText('"the database is down"').first().waitFor(); // Another attempt may have failed.
  expect(await page.getByRole("heading", { name: "Verify it yourself" }).count()).toBe(1);
  expect(await tester.judge("delivery-retrying")).toEqual(flawless);

  // It is repaired, and the delivery arrives.
  const resume = page.getByRole("link", { name: "Resume it" });
  const isOffered = async () => {
    await page.reload(); // It is not offered between a backoff and the next failure.
    return (await resume.count()) > 0;
  };
  await expect.poll(isOffered, { timeout: 90_000, interval: 500 }).toBe(true);
  receiver.respond = respondingWith(200);
  receiver.received.length = 0;
  await resume.click();
  expect(await tester.judge("resume")).toEqual(flawless);
  await tester.press("Resume");
  await page.getByText("The webhook was resumed.").waitFor();
  await vi.waitFor(() => expect(receiver.received.at(-1)?.body).toContain(lead), soon);
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
  await createLead(server, "Gone");
  await page.goto(webhook);
  await waitForText(tester, "Nothing is sent.");
  expect(await tester.judge("webhook-failed")).toEqual(flawless);
  await createLead(server, "In the gap");
  receiver.respond = respondingWith(200);
  receiver.received.length = 0;
  await tester.follow("Resume …");
  await page.getByLabel("Also send the events that happened meanwhile").check();
  await tester.press("Resume");
  await page.getByText(/events? that happened meanwhile will be sent first/).waitFor();
  await vi.waitFor(
    () => expect(receiver.received.map(({ body }) => body).join()).toContain("In the gap"),
    soon,
  );

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
  await page.getByText(`${wanted} deliveries were created.`).waitFor({ timeout: 60_000 });
  const repeated = () => receiver.received.map(({ headers }) => headers["x-parley-redelivery"]);
  await vi.waitFor(() => expect(repeated()).toEqual(new Array(wanted).fill("true")), soon);

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
  const judgment = await tester.judge("deleted");
  await tester.context.close();
  await receiver.close();
  return judgment;
}
