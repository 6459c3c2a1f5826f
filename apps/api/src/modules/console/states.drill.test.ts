/** Every page of the console in states that are hard to show: nothing, many rows, long texts, right-to-left names, emoji, markup. */
import { randomUUID } from "node:crypto";
import { pages } from "@parley/contract";
import { type Browser, hasChromium, launchChromium, scrollsHorizontally } from "@parley/testing/chromium";
import { flawless, looks, PageTester } from "@parley/testing/page-tester";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { password } from "../oauth/testing/fixture.ts";
import { type ConsoleFixture, type Person, startConsole } from "./testing/console.ts";

const arabic = "شركة تصدير العملاء المحتملين";
const nasty = `${arabic} 👩🏽‍💻🇪🇺 <script>alert(1)</script> ${"word_that_does_not_fit_".repeat(20)}`;
const longUrl = `https://example.com/${"a-very-long-path/".repeat(110)}?name=${encodeURIComponent(arabic)}`;

/** Other widths, in which every page must fit. */
const widths = [1600, 768, 480];

describe.skipIf(!hasChromium)("states of the console", { timeout: 180_000 }, () => {
  let fixture: ConsoleFixture;
  let browser: Browser;
  let person: Person;
  let ids: Record<string, string>;

  beforeAll(async () => {
    fixture = await startConsole();
    browser = await launchChromium();
    person = await fixture.person();
    ids = await fillWithNastyTexts(fixture, person);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await fixture?.close();
  });

  /** Paths of all pages that can be shown to a signed-in admin, with IDs of records. */
  function paths(): string[] {
    const own = Object.keys(pages.paths).filter(
      (path) => path.startsWith("/console") && !/\/(?:session|link)$/.test(path),
    );
    const known: Record<string, string | undefined> = {
      "/console/events/{id}": ids["event"],
      "/console/event-types/{type}": "usage.threshold_reached",
    };
    return own.map((path) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[path] ?? ids[name] ?? name),
    );
  }

  test.each(looks)("long, right-to-left and many: $colorScheme, $width px", async (look) => {
    const tester = await PageTester.open(browser, fixture.url, look);
    const { page } = tester;
    await page.goto(`${fixture.url}/console`);
    await tester.signIn(person.email, password);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const webhook = `/console/webhooks/${ids["id"]}`;
    const more = [
      ...["test", "resume", "rotate_secret", "delete"].map((action) => `${webhook}?confirm=${action}`),
      `${webhook}/redelivery?created=0`,
      "/console/deliveries?status=retrying",
      "/console/requests?status=errors",
    ];
    for (const path of [...paths(), ...more]) {
      const response = await page.goto(fixture.url + path);
      expect([path, response?.status()]).toEqual([path, 200]);
      await page.evaluate(
        "document.querySelectorAll('details').forEach((details) => { details.open = true; })",
      );
      const name = `nasty${path.replaceAll(/[^a-z]+/g, "-")}`.slice(0, 80);
      expect([path, await tester.judge(name)]).toEqual([path, flawless]);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect([path, width, await scrollsHorizontally(page)]).toEqual([path, width, false]);
      }
      await page.setViewportSize({ width: look.width, height: 800 });
    }
    await tester.context.close();
  });

  test.each(looks)("empty, for a member: $colorScheme, $width px", async (look) => {
    const newcomer = await fixture.person("member");
    const tester = await PageTester.open(browser, fixture.url, look);
    const { page } = tester;
    await page.goto(`${fixture.url}/console`);
    await tester.signIn(newcomer.email, password);
    await page.getByText("No webhooks yet.").waitFor();
    for (const path of paths().filter((one) => !/[0-9a-f-]{36}/.test(one))) {
      await page.goto(fixture.url + path);
      const name = `empty${path.replaceAll(/[^a-z]+/g, "-")}`;
      expect([path, await tester.judge(name)]).toEqual([path, flawless]);
    }
    await tester.context.close();
  });

  test("works with only the keyboard: the first link leads to the content, and filters are sent with Enter", async () => {
    const tester = await PageTester.open(browser, fixture.url, { colorScheme: "light", width: 1280 });
    const { page } = tester;
    await page.goto(`${fixture.url}/console/deliveries`);
    await tester.signIn(person.email, password);
    await page.getByRole("heading", { name: "Deliveries" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.name")).toBe("status");
    await page.getByLabel("Record or event ID").focus();
    await page.keyboard.type("nothing");
    await page.keyboard.press("Enter");
    await page.getByText("No delivery matches.").waitFor();
    await tester.context.close();
  });

  test("the script searches event types, keeps checked ones, and copies", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${fixture.url}/console/webhooks/new`);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("ticket.created").check();
    await page.getByLabel("Search event types").fill("Lead marked");
    const visible = page.locator("input[name=event_types]:visible");
    await expect.poll(() => visible.count()).toBe(2);
    expect(await visible.first().getAttribute("value")).toBe("lead.qualified");
    expect(await visible.last().isChecked()).toBe(true);
    await page.goto(`${fixture.url}/console/events/${ids["event"]}`);
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(arabic);
    await context.close();
  });
});

/** Creates records with texts that are hard to show. Returns the IDs for the paths of the contract. */
async function fillWithNastyTexts(fixture: ConsoleFixture, person: Person): Promise<Record<string, string>> {
  const { db } = fixture;
  const { organizationId, userId } = person;
  await db.organization.update({ where: { id: organizationId }, data: { name: nasty.slice(0, 200) } });
  await db.user.update({ where: { id: userId }, data: { name: nasty.slice(0, 100) } });
  const client = await fixture.ownClient(person, nasty.slice(0, 100));
  await fixture.connect(person, client.id, ["leads:read"]);
  const chatbot = await db.chatbot.create({ data: { organizationId, name: nasty, model: "m" } });
  const subscription = { organizationId, secret: Buffer.alloc(1), queue: { create: {} } };
  const { id } = await db.subscription.create({
    data: {
      ...subscription,
      targetUrl: longUrl,
      eventTypes: ["lead.created"],
      chatbotId: chatbot.id,
      headerNames: ["X-".padEnd(100, "a")],
      conditions: [{ field: "data.attributes.source", op: "equals", value: nasty }],
      failureCount: 3,
      failureReason: nasty,
    },
  });
  await db.subscription.createMany({
    data: Array.from({ length: 30 }, (_, index) => ({
      organizationId,
      secret: Buffer.alloc(1),
      targetUrl: `https://example.com/${index}`,
      eventTypes: ["*"],
      status: index % 2 === 0 ? "active" : "failed",
    })),
  });
  await db.$executeRaw`INSERT INTO subscription_queues (subscription_id) SELECT s.id FROM subscriptions s
    WHERE NOT EXISTS (SELECT 1 FROM subscription_queues q WHERE q.subscription_id = s.id)`;
  const eventIds = Array.from({ length: 120 }, (_, index) => uuidOf(Date.now() - index * 60_000));
  const event = eventIds[0] ?? "";
  await db.event.createMany({
    data: eventIds.map((eventId, index) => ({
      id: eventId,
      organizationId,
      type: "lead.created",
      chatbotId: chatbot.id,
      body: JSON.stringify({ id: eventId, data: { id: eventId, attributes: { contact: { name: nasty } } } }),
      createdAt: new Date(Date.now() - index * 60_000),
      recordId: eventId,
    })),
  });
  const attempts = eventIds.map((eventId, index) => ({
    deliveryId: uuidOf(Date.now() - index * 60_000),
    eventId,
    organizationId,
    subscriptionId: id,
    eventType: "lead.created",
    attempt: 1,
    attemptedAt: new Date(Date.now() - index * 60_000),
    outcome: index % 3 === 0 ? "exhausted" : "delivered",
    durationMs: index * 500,
    statusCode: index % 3 === 0 ? 500 : 200,
    error: index % 3 === 0 ? nasty : null,
    responseBody: nasty,
    version: 1,
    exchange: `2001:db8::1\n1 2 3 4\n\nx-long:${"v".repeat(900)}`,
  }));
  await db.deliveryAttempt.createMany({ data: attempts });
  await db.auditEntry.create({
    data: { event: "client.updated", organizationId, userId, clientId: client.id, details: { name: nasty } },
  });
  return { id, event, client_id: client.id, delivery_id: attempts[0]?.deliveryId ?? "" };
}

/** Returns a UUIDv7 of a time; ms since 1970. */
function uuidOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}
