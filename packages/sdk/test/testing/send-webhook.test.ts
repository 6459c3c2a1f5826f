import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { sendWebhook, webhookEvent } from "../../src/testing/index.ts";
import { receiveWebhooks } from "../../src/webhooks/receivers/node.ts";
import { startTestServer } from "../support/server.ts";

const secret = "parley_ws_test";
const event = webhookEvent("lead.created");

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

test("sends a signed event, which a receiver handles", async () => {
  const received: string[] = [];
  const url = await listen(
    receiveWebhooks({ secret, on: { "lead.created": ({ id }) => received.push(id) } }),
  );
  expect(await sendWebhook(url, event, { secret })).toEqual({
    event,
    attempt: 1,
    delivered: true,
    status: 204,
    error: undefined,
    body: "",
    durationMs: expect.any(Number),
  });
  expect(received).toEqual([event.id]);
});

test("reports a rejected signature with the response", async () => {
  const url = await listen(receiveWebhooks({ secret, on: {}, onError: () => {} }));
  const result = await sendWebhook(url, event, { secret: "parley_ws_other" });
  expect(result).toMatchObject({ delivered: false, status: 400 });
  expect(JSON.parse(result.body)).toMatchObject({ error: "signature_mismatch" });
});

test("does not follow redirects", async () => {
  const { baseUrl, received } = await startTestServer(() => ({
    status: 302,
    headers: { location: "/other" },
  }));
  expect(await sendWebhook(baseUrl, event, { secret })).toMatchObject({ delivered: false, status: 302 });
  expect(received).toHaveLength(1);
});

test("reports the reason if there is no response", async () => {
  expect(await sendWebhook("http://127.0.0.1:1/hook", event, { secret })).toMatchObject({
    delivered: false,
    status: undefined,
    error: expect.stringMatching(/ECONNREFUSED|bad port/),
  });
});

test("ends an attempt after the timeout, and when its signal is aborted", async () => {
  const { baseUrl } = await startTestServer(() => ({ fault: "no response" }));
  expect(await sendWebhook(baseUrl, event, { secret, timeoutMs: 50 })).toMatchObject({
    delivered: false,
    error: "timeout",
  });
  const signal = AbortSignal.timeout(50);
  await expect(sendWebhook(baseUrl, event, { secret, signal })).rejects.toThrow(/timeout/);
});

test("rejects an invalid URL", async () => {
  await expect(sendWebhook("localhost:3000/hook", event, { secret })).rejects.toThrow(TypeError);
  await expect(sendWebhook("no url", event, { secret })).rejects.toThrow(TypeError);
});
