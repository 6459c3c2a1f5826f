/** "Try it" of the documentation, in a browser, with the server of `npm start`. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { description } from "@parley/contract";
import { demo } from "@parley/database";
import {
  accessibilityViolations,
  type Browser,
  hasChromium,
  launchChromium,
  type Page,
} from "@parley/testing/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, startDemo } from "../src/testing/demo.ts";

interface Node {
  $ref?: string;
  [member: string]: unknown;
}

/** Operations of the contract with the IDs of the inputs that their forms must have. */
const operations = Object.entries(
  description.paths as unknown as Record<string, Record<string, Node>>,
).flatMap(([path, { parameters: shared = [], ...methods }]) =>
  Object.entries(methods).map(([method, { operationId, parameters: own = [], requestBody }]) => {
    const parameters = [...(shared as Node[]), ...(own as Node[])].map(resolve);
    const media = requestBody as { content: Record<string, { schema: Node }> } | undefined;
    const schema = resolve(media?.content["application/json"]?.schema ?? {});
    return {
      operationId: String(operationId),
      method,
      path,
      parameters: parameters.map(({ in: place, name }) => `try-${String(place)}-${String(name)}`),
      fields: Object.keys(schema["properties"] ?? {}).map((name) => `try-body-${name}`),
    };
  }),
);

function resolve(node: Node): Node {
  const names = node.$ref?.slice(2).split("/");
  return names
    ? (names.reduce<unknown>((parent, name) => (parent as Node)[name], description) as Node)
    : node;
}

describe.skipIf(!hasChromium)("Try it", { timeout: 120_000 }, () => {
  let server: Demo;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const received: IncomingMessage[] = [];
  const receiver = createServer((request, response) => {
    received.push(request);
    request.resume().on("end", () => response.end());
  });

  beforeAll(async () => {
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    server = await startDemo();
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url)) complaints.push(`request: ${request.url()}`);
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    receiver.close();
  });

  /** Opens the dialog on a page of the documentation. */
  async function openDialog(path: string, label = "Try it"): Promise<void> {
    await page.goto(`${server.url}/docs/${path}`);
    await page.getByRole("button", { name: label }).click();
    await page.getByRole("dialog").waitFor();
  }

  /** Signs in, if this browser did not do it before, and allows access. */
  async function signIn(): Promise<void> {
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Sign in" }).click();
    const popup = await opened;
    const allow = popup.getByRole("button", { name: "Allow" });
    const email = popup.getByLabel("Email");
    await email.or(allow).first().waitFor();
    if (await email.isVisible()) {
      await email.fill("pro@demo.parley.dev");
      await popup.getByLabel("Password").fill(demo.password);
      await popup.getByRole("button", { name: "Sign in" }).click();
    }
    await allow.click();
    await page.getByText("Signed in to Pro Properties").waitFor();
  }

  /** Sends the request of the form, and returns the status and the body of the response. */
  async function send(): Promise<{ status: string; body: string }> {
    const response = page.getByRole("region", { name: "Response" });
    await page.getByRole("button", { name: /^Send \w+ request$/ }).click();
    const badge = response.locator(".badge");
    await badge.waitFor();
    const body = await response.locator("pre").first().textContent();
    return { status: (await badge.textContent()) ?? "", body: body ?? "" };
  }

  const choose = (operationId: string) => page.getByLabel("Operation").selectOption(operationId);

  test("signs in with PKCE in a window, sends the request, and shows the response with its headers", async () => {
    await openDialog("api/list-leads");
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Send GET request" }).click();
    await page.getByText("Sign in first.").waitFor();
    await signIn();
    await page.getByLabel("limit").fill("2");
    await page.getByLabel("status").selectOption("qualified");
    expect(await page.locator(".try-it-output code").first().textContent()).toBe(
      `curl "${server.url}/api/v1/leads?limit=2&status=qualified" \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`,
    );
    const { status, body } = await send();
    expect(status).toBe("200");
    const { data } = JSON.parse(body) as { data: { attributes: { status: string } }[] };
    expect(data.map(({ attributes }) => attributes.status)).toEqual(["qualified", "qualified"]);
    await page.getByRole("dialog").getByText("Response headers").click();
    expect(await page.getByText(/^x-ratelimit-remaining: \d+$/m).isVisible()).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test("keeps the tokens only in memory", async () => {
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).toBe("[{},{}]");
    expect((await page.context().cookies()).map(({ value }) => value).join()).not.toContain("parley_at_");
    await page.reload();
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  test("shows a form with every parameter and every field of the body for each operation", async () => {
    await openDialog("api/list-leads");
    const offered = page.getByLabel("Operation").locator("option");
    const ids = await offered.evaluateAll((options) => options.map((option) => option.getAttribute("value")));
    expect(new Set(ids)).toEqual(new Set(operations.map(({ operationId }) => operationId)));
    for (const { operationId, parameters, fields } of operations) {
      await choose(operationId);
      const expected = [...parameters, ...fields];
      const shown = await page.evaluate(
        (names) => names.filter((name) => document.querySelector(`[id="${name}"], [id^="${name}-"]`)),
        expected,
      );
      const isJson = (await page.getByRole("textbox", { name: "Body" }).count()) === 1;
      expect([operationId, shown]).toEqual([operationId, isJson ? parameters : expected]);
      expect(await page.locator(".try-it-output code").first().textContent()).toContain(server.url);
    }
  });

  test("creates a subscription, and sends an event to it from the page of the event", async () => {
    await openDialog("events/ticket.created", "Send this event to my subscription");
    await signIn();
    await page.getByText("Your organization has no webhook subscription yet.").waitFor();
    await page.getByRole("button", { name: "Create a webhook subscription" }).click();
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/parley`;
    await page.getByLabel("target_url").fill(target);
    const { status, body } = await send();
    expect([status, JSON.parse(body).data.event_types]).toEqual(["201", ["ticket.created"]]);

    await choose("testWebhookSubscription");
    const id = page.getByRole("combobox", { name: /^id/ });
    await expect.poll(() => id.inputValue()).toBe(JSON.parse(body).data.id);
    const test = await send();
    expect([test.status, JSON.parse(test.body).data.attributes.status]).toEqual(["200", "delivered"]);
    expect(received.map(({ headers }) => headers["x-parley-event"])).toEqual(["ticket.created"]);
  });

  test("sends every read operation with the IDs that it suggests", async () => {
    const all = operations.filter(({ method, path }) => method === "get" && path.startsWith("/api/v1/"));
    const reads = all.filter(({ path }) => !path.includes("{redelivery_id}")); // No list has these IDs.
    for (const { operationId, path } of reads) {
      await choose(operationId);
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const name of names)
        await expect.poll(() => page.locator(`#try-path-${name}`).inputValue()).toMatch(/^[0-9a-f-]{36}$/);
      if (operationId === "listEventSamples") await page.getByLabel("type").selectOption("lead.created");
      expect([operationId, (await send()).status]).toEqual([operationId, "200"]);
    }
  });

  test("does not show the response of an operation that the reader left", async () => {
    await choose("listEvents");
    await page.getByLabel("cursor").fill("latest");
    await page.getByLabel("wait").fill("2");
    await page.getByRole("button", { name: "Send GET request" }).click();
    await page.getByText("Waiting for the response").waitFor();
    await choose("getMe");
    expect((await send()).body).toContain("Pro Properties");
    await page.waitForTimeout(2_500);
    const response = page.getByRole("region", { name: "Response" });
    expect(await response.locator("pre").first().textContent()).toContain("Pro Properties");
  });

  test("explains an error, and sends a body that was edited as JSON", async () => {
    await choose("createTicket");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await page.getByRole("textbox", { name: "Body" }).fill('{ "subjct": "Help" }');
    const { status, body } = await send();
    expect([status, JSON.parse(body).error_description]).toEqual(["400", expect.stringContaining("subject")]);
    expect(await page.getByRole("link", { name: "What invalid_request means" }).getAttribute("href")).toBe(
      "/docs/errors/invalid_request",
    );
    await page.getByRole("textbox", { name: "Body" }).fill("{");
    await page.getByRole("button", { name: "Send POST request" }).click();
    expect(
      await page.getByRole("textbox", { name: "Body" }).evaluate((input) => input.matches(":invalid")),
    ).toBe(true);
  });

  test("sends a platform key", async () => {
    await choose("upsertChatbot");
    const me = await fetch(`${server.url}/api/v1/me`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    const { data } = (await me.json()) as { data: { id: string } };
    await page.getByLabel("organization_id").fill(data.id);
    await page.getByLabel("external_id").fill("try-it");
    await page.getByLabel("Platform key").fill(server.platformKey);
    expect((await send()).status).toMatch(/^20[01]$/);
  });

  test("signs out, and says that the window was closed", async () => {
    await choose("getMe");
    await page.getByRole("button", { name: "Sign out" }).click();
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Sign in" }).click();
    const popup = await opened;
    await popup.getByRole("button", { name: "Allow" }).waitFor();
    await popup.close();
    const problem = page.getByText("The window was closed before you allowed access.");
    await expect.poll(() => problem.isVisible()).toBe(true);
  });

  test("fits a narrow window in the dark", async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.emulateMedia({ colorScheme: "dark" });
    await choose("createLead");
    expect(await accessibilityViolations(page)).toEqual([]);
    const isTooWide = "document.querySelector('dialog').scrollWidth > innerWidth";
    expect(await page.evaluate(isTooWide)).toBe(false);
  });

  test("causes no error and no request to another origin", () => {
    expect(complaints).toEqual([]);
  });
});
