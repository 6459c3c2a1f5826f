import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventTypes } from "@parley/contract";
import { Parley } from "@parley/sdk";
import { signWebhook } from "@parley/sdk/webhooks";
import { type Demo, startDemo } from "@parley/standalone/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type LoadedPackage, loadPackage } from "./built-package.ts";
import { functionsFor, type PlacedNode } from "./functions.ts";
import { startWebhookServer, type WebhookServer } from "./webhook-server.ts";

let demo: Demo;
let parley: Parley;
let nodes: LoadedPackage;
let chatbotId: string;
let node: PlacedNode;
let server: WebhookServer;

beforeAll(async () => {
  [demo, nodes] = await Promise.all([startDemo(), loadPackage()]);
  parley = new Parley({ baseUrl: demo.url, accessToken: demo.token });
  chatbotId = (await parley.chatbots.list()).data[0]?.id ?? "";
});
afterAll(async () => {
  nodes.remove();
  await demo.stop();
});

beforeEach(async () => {
  const parameters = { events: ["lead.created"], chatbot_id: chatbotId };
  node = { type: nodes.trigger, parameters, staticData: {} };
  server = await startWebhookServer(demo, node);
  node.webhookUrl = server.url;
});
afterEach(async () => {
  await run("delete");
  await server.close();
});

/** Calls a function as n8n does when the workflow is turned on or off. */
function run(method: "checkExists" | "create" | "delete"): Promise<boolean> | undefined {
  return nodes.trigger.webhookMethods?.["default"]?.[method].call(functionsFor(demo, node));
}

async function createLead(name: string) {
  return (await parley.leads.create({ chatbot_id: chatbotId, contact: { name } })).data;
}

async function subscriptions() {
  return (await parley.webhooks.list()).data;
}

const soon = { timeout: 10_000, interval: 10 };

test("subscribes, receives the event of a new lead, and unsubscribes", async () => {
  expect(await run("checkExists")).toBe(false);
  expect(await run("create")).toBe(true);
  expect(await run("checkExists")).toBe(true);
  expect(await subscriptions()).toMatchObject([
    { target_url: server.url, event_types: ["lead.created"], filters: { chatbot_id: chatbotId } },
  ]);

  const lead = await createLead("Zoë 🦊");
  await vi.waitFor(() => expect(server.started).toHaveLength(1), soon);
  expect(server.started).toMatchObject([{ type: "lead.created", chatbot_id: chatbotId, data: lead }]);

  expect(await run("delete")).toBe(true);
  expect(await subscriptions()).toEqual([]);
  expect(node.staticData).toEqual({});
});

test("subscribes to all chatbots if none is chosen", async () => {
  node.parameters = { events: ["lead.created", "ticket.created"], chatbot_id: "" };
  await run("create");
  expect(await subscriptions()).toMatchObject([
    { event_types: ["lead.created", "ticket.created"], filters: {} },
  ]);
});

test("responds 401 to a changed body and to a signature with another secret", async () => {
  await run("create");
  const payload = JSON.stringify({ type: "lead.created" });
  const headers = await signWebhook({ payload, secret: node.staticData.secret ?? "" });
  const send = (body: string, signature: Record<string, string>) =>
    fetch(server.url, { method: "POST", body, headers: signature });

  const tampered = await send(payload.replace("created", "updated"), headers);
  expect([tampered.status, await tampered.json()]).toMatchObject([401, { error: "signature_mismatch" }]);
  expect((await send(payload, await signWebhook({ payload, secret: "parley_ws_other" }))).status).toBe(401);
  expect((await send(payload, {})).status).toBe(401);
  expect(server.started).toEqual([]);
  expect((await send(payload, headers)).status).toBe(200);
});

test("accepts no delivery while the secret is unknown", async () => {
  const payload = JSON.stringify({ type: "lead.created" });
  const headers = await signWebhook({ payload, secret: "undefined" });
  const response = await fetch(server.url, { method: "POST", body: payload, headers });
  expect([response.status, await response.json()]).toMatchObject([401, { error: "missing_secret" }]);
});

test("replaces a subscription whose secret is unknown", async () => {
  await parley.webhooks.subscribe({ target_url: server.url, event_types: ["lead.updated"] });
  expect(await run("checkExists")).toBe(false);
  await run("create");
  expect(await subscriptions()).toMatchObject([{ event_types: ["lead.created"] }]);
});

test("deleting succeeds if the subscription no longer exists", async () => {
  await run("create");
  await parley.webhooks.delete(node.staticData.subscriptionId ?? "");
  expect(await run("checkExists")).toBe(false);
  expect(await run("delete")).toBe(true);
});

test.each([
  ["an HTML page", "text/html", "<!doctype html><title>Not Found</title>"],
  ["an empty body", "text/plain", ""],
  ["JSON of another application", "application/json", '{"error":"Not Found","message":"Cannot DELETE"}'],
])("treats a 404 with %s as an error, and keeps the subscription's data", async (_name, type, body) => {
  await run("create");
  const { subscriptionId } = node.staticData;
  const foreign = createServer((_request, response) => {
    response.writeHead(404, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(foreign, "listening");
  const url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  for (const method of ["delete", "checkExists"] as const) {
    const functions = functionsFor({ ...demo, url, fetch }, node);
    const called = nodes.trigger.webhookMethods?.["default"]?.[method].call(functions);
    await expect(called).rejects.toMatchObject({ httpCode: "404" });
  }
  foreign.close();
  expect(node.staticData.subscriptionId).toBe(subscriptionId);
  expect(await run("checkExists")).toBe(true);
});

test("delivers the events that were missed while n8n was unavailable", async () => {
  await run("create");
  server.away = true;
  const first = await createLead("First");
  const id = node.staticData.subscriptionId ?? "";
  await vi.waitFor(async () => expect((await parley.webhooks.get(id)).data.status).toBe("failed"), soon);
  const second = await createLead("Second");

  server.away = false;
  expect(await run("checkExists")).toBe(true);
  await vi.waitFor(() => expect(server.started).toHaveLength(2), soon);
  const ids = server.started.map(({ data }) => (data as { id: string }).id);
  expect(new Set(ids)).toEqual(new Set([first.id, second.id]));
});

test("lists every event of the contract", () => {
  const [choice] = nodes.trigger.description.properties;
  const values = (choice?.options ?? []).map((option) => "value" in option && option.value);
  expect(new Set(values)).toEqual(new Set(eventTypes));
});
