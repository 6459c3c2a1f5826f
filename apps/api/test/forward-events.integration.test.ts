import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Parley } from "@parley/sdk";
import { forwardEvents, type SentDelivery } from "@parley/sdk/testing";
import { receiveWebhooks } from "@parley/sdk/webhooks/node";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const secret = "parley_ws_local";

const api = useApi();
let tenant: Tenant;
let parley: Parley;
beforeEach(async () => {
  tenant = await createTenant(api.db);
  parley = new Parley({ baseUrl: api.url, accessToken: tenant.token });
});

async function startReceiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const createLead = (score = 0) =>
  parley.leads.create({ chatbot_id: tenant.chatbotId, contact: { name: "Ada Novak" }, score });

test("forwards each event once and in order, with the body that webhooks have", async () => {
  await createLead();
  const received: unknown[] = [];
  const to = await startReceiver(
    receiveWebhooks({ secret, on: {}, onOther: (event) => received.push(event) }),
  );
  const forwarder = await forwardEvents(parley, { to, secret });
  for (let i = 0; i < 5; i++) await createLead(90);
  await vi.waitFor(() => expect(received).toHaveLength(10), { timeout: 30_000 });
  await forwarder.close();
  const { data } = await parley.events.list();
  expect(received).toEqual(data.slice(1));
});

test("forwards only the given event types", async () => {
  const received: string[] = [];
  const to = await startReceiver(
    receiveWebhooks({ secret, on: {}, onOther: ({ type }) => received.push(type) }),
  );
  const forwarder = await forwardEvents(parley, { to, secret, eventTypes: ["lead.qualified"] });
  await createLead(90);
  await createLead(95);
  await vi.waitFor(() => expect(received).toEqual(["lead.qualified", "lead.qualified"]), { timeout: 30_000 });
  await forwarder.close();
});

test("retries a failed delivery with the same ID before it sends the next event", async () => {
  const received: string[] = [];
  let failures = 1;
  const handle = receiveWebhooks({
    secret,
    on: { "lead.created": (event, { id }) => received.push(`${event.data.attributes.score} ${id}`) },
  });
  const to = await startReceiver((request, response) => {
    if (failures-- <= 0) return handle(request, response);
    received.push(`failed ${String(request.headers["x-parley-delivery"])}`);
    response.writeHead(503).end("not yet");
  });
  const results: SentDelivery[] = [];
  const eventTypes = ["lead.created"] as const;
  const onDelivery = (result: SentDelivery) => results.push(result);
  const forwarder = await forwardEvents(parley, { to, secret, eventTypes, retries: 2, onDelivery });
  await createLead(1);
  await createLead(2);
  await vi.waitFor(() => expect(results).toHaveLength(3), { timeout: 30_000 });
  await forwarder.close();
  expect(results).toMatchObject([
    { attempt: 1, delivered: false, status: 503, body: "not yet" },
    { attempt: 2, delivered: true, status: 204 },
    { attempt: 1, delivered: true, status: 204 },
  ]);
  const [failed = "", retried = "", other = ""] = received;
  expect(retried).toBe(`1 ${failed.slice("failed ".length)}`);
  expect(other).toMatch(/^2 /);
});

test("continues at the cursor of an earlier forwarder", async () => {
  const received: string[] = [];
  const to = await startReceiver(receiveWebhooks({ secret, on: {}, onOther: ({ id }) => received.push(id) }));
  const sent: SentDelivery[] = [];
  const first = await forwardEvents(parley, { to, secret, onDelivery: (result) => sent.push(result) });
  await createLead();
  // The cursor moves when the response has arrived, later than the receiver has handled the event.
  await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 30_000 });
  await first.close();
  await createLead();
  const second = await forwardEvents(parley, { to, secret, since: first.cursor });
  await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 30_000 });
  await second.close();
  expect(received).toEqual((await parley.events.list()).data.map(({ id }) => id));
});

test("ends when its signal is aborted, also during an attempt", async () => {
  let requests = 0;
  const to = await startReceiver(() => {
    requests += 1;
  });
  const controller = new AbortController();
  const forwarder = await forwardEvents(parley, { to, secret, signal: controller.signal });
  await createLead();
  await vi.waitFor(() => expect(requests).toBe(1), { timeout: 30_000 });
  controller.abort();
  await forwarder.done;
});

test("rejects an invalid URL, and a token without the scope webhooks:manage", async () => {
  await expect(forwardEvents(parley, { to: "localhost:3000", secret })).rejects.toThrow(
    'to must be an absolute http or https URL (received "localhost:3000").',
  );
  const other = await createTenant(api.db, { scopes: ["leads:read"] });
  const limited = new Parley({ baseUrl: api.url, accessToken: other.token });
  await expect(forwardEvents(limited, { to: "http://127.0.0.1:3000", secret })).rejects.toMatchObject({
    code: "insufficient_scope",
  });
});
