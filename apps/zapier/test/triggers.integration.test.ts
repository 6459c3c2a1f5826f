import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { events } from "@parley/contract/events";
import { Parley } from "@parley/sdk";
import { type Received, soon, startReceiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Trigger } from "zapier-platform-core";
import app from "../src/index.ts";
import { startZapierFixture, type ZapierFixture } from "../src/testing/zapier-fixture.ts";

const triggers: Record<string, Trigger> = app.triggers;

let fixture: ZapierFixture;
let parley: Parley;
beforeAll(async () => {
  fixture = await startZapierFixture();
  parley = new Parley({ baseUrl: fixture.url, accessToken: fixture.token });
});
afterAll(() => fixture.stop());

type Step = "perform" | "performList" | "performSubscribe" | "performUnsubscribe";

function run<Result>(key: string, step: Step, bundle?: object): Promise<Result> {
  const operation: Partial<Record<Step, unknown>> | undefined = triggers[key]?.operation;
  return fixture.run(operation?.[step], bundle);
}

/** Returns a delivery as Zapier passes it to the trigger. */
function asZapierSends({ headers, body }: Received): object {
  const named = Object.entries(headers).map(([name, value]) => [
    `Http-${name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())}`,
    value,
  ]);
  return { rawRequest: { method: "POST", headers: Object.fromEntries(named), content: body } };
}

test("subscribes, receives the event of a new lead, rejects forged deliveries, and unsubscribes", async () => {
  const receiver = await startReceiver();
  const [chatbot] = await run<{ value: string; label: string }[]>("chatbot_list", "perform");
  const inputData = { chatbot_id: chatbot?.value };
  const targetUrl = receiver.url;
  const subscribeData = await run<{ id: string; secret: string }>("lead_created", "performSubscribe", {
    inputData,
    targetUrl,
  });
  expect((await parley.webhooks.get(subscribeData.id)).data).toMatchObject({
    target_url: targetUrl,
    event_types: ["lead.created"],
    filters: inputData,
  });

  const contact = { name: "Zoë 🦊" };
  const { data: lead } = await parley.leads.create({ chatbot_id: chatbot?.value ?? "", contact });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  const [delivery] = receiver.received as [Received];
  const bundle = { inputData, subscribeData, ...asZapierSends(delivery) };
  const [event] = await run<object[]>("lead_created", "perform", bundle);
  expect(event).toMatchObject({ type: "lead.created", chatbot_id: chatbot?.value, data: lead });

  const forged = { ...delivery, body: delivery.body.replace("Zoë", "Eve") };
  await expect(run("lead_created", "perform", { ...bundle, ...asZapierSends(forged) })).rejects.toThrow(
    "signature_mismatch",
  );
  const unknown = { ...bundle, subscribeData: {} };
  await expect(run("lead_created", "perform", unknown)).rejects.toThrow("missing_secret");

  await run("lead_created", "performUnsubscribe", { subscribeData, targetUrl });
  expect((await parley.webhooks.list()).data).toEqual([]);
  await run("lead_created", "performUnsubscribe", { subscribeData, targetUrl }); // Zapier may unsubscribe twice.
  await receiver.close();
});

/** Starts a server that is not Parley: a proxy, another application, or a wrong path. */
async function startForeignServer(contentType: string, body: string) {
  const server = createServer((_request, response) => {
    response.writeHead(404, { "content-type": contentType }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test.each([
  ["an HTML page", "text/html", "<!doctype html><title>Not Found</title>"],
  ["an empty body", "text/plain", ""],
  ["JSON of another application", "application/json", '{"error":"Not Found","message":"Cannot DELETE"}'],
  ["JSON that is not an object", "application/json", "null"],
])(
  "treats a 404 with %s as an error, not as a deleted subscription or a missing lead",
  async (_name, type, body) => {
    const server = await startForeignServer(type, body);
    const authData = { access_token: fixture.token, api_base_url: server.url };
    const subscribeData = { id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001" };
    const unsubscribed = run("lead_created", "performUnsubscribe", { authData, subscribeData });
    await expect(unsubscribed).rejects.toThrow(/"status":404/);
    const found = fixture.run(app.searches.find_lead.operation.perform, { authData, inputData: { id: "x" } });
    await expect(found).rejects.toThrow(/"status":404/);
    server.close();
  },
);

test.each(events)(
  "$type: the sample and the listed samples have the same members",
  async ({ type, label, sample }) => {
    const key = type.replace(".", "_");
    const trigger = triggers[key];
    expect(trigger).toMatchObject({ display: { label }, operation: { type: "hook", sample } });
    expect(trigger?.display.description).toMatch(/^Triggers when .+\.$/s);
    const [listed] = await run<object[]>(key, "performList");
    expect(listed).toMatchObject({ id: expect.any(String), type });
    expect(Object.keys(listed ?? {}).sort()).toEqual(Object.keys(sample).sort());
  },
);

test("shows Parley's description if a subscription is rejected", async () => {
  const targetUrl = "ftp://hooks.example.com";
  await expect(run("lead_created", "performSubscribe", { targetUrl })).rejects.toThrow(/target_url/);
});

test("the dropdown lists every chatbot with value and label, page by page", async () => {
  const chatbots = await run<object[]>("chatbot_list", "perform");
  const expected = (await parley.chatbots.list()).data.map(({ id, label, value }) => ({ id, label, value }));
  expect(chatbots).toMatchObject(expected);
  expect(await run("chatbot_list", "perform", { meta: { page: 1 } })).toEqual([]);
});
