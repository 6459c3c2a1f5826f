import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { conformingFetch } from "@parley/contract/testing";
import { demo } from "@parley/database";
import { Parley } from "@parley/sdk";
import { verifyWebhook } from "@parley/sdk/webhooks";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { allowAccess } from "../src/testing/demo.ts";
import { npmStart, type Spawned, temporaryFolder } from "./spawned.ts";

// The main job from end to end: `npm start`, authorize in the pages, list, subscribe, receive, verify, refresh.

const folder = temporaryFolder();
const fetch = conformingFetch();
let parley: Spawned;

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
}
const received: Received[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.end();
  });
});

beforeAll(async () => {
  parley = await npmStart(folder.path);
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
}, 600_000);

afterAll(async () => {
  receiver.close();
  await parley.end("SIGINT", "everything");
  folder.remove();
});

const redirectUri = "http://127.0.0.1:53682/callback";
const options = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: fetch as (url: string, init: object) => Promise<Response>,
};
const client: oauth.Client = { client_id: demo.clientId };
const secret = oauth.ClientSecretPost(demo.clientSecret);

async function authorize(): Promise<{
  server: oauth.AuthorizationServer;
  tokens: oauth.TokenEndpointResponse;
}> {
  const issuer = new URL(parley.url);
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options });
  const server = await oauth.processDiscoveryResponse(issuer, discovery);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const page = new URL(server.authorization_endpoint ?? "");
  page.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: "leads:read leads:write webhooks:manage",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();

  const callback = await allowAccess(page.href, fetch);
  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    secret,
    parameters,
    redirectUri,
    verifier,
    options,
  );
  return { server, tokens: await oauth.processAuthorizationCodeResponse(server, client, response) };
}

test("authorize, list, subscribe, receive, verify, delete, refresh", async () => {
  expect(parley.text()).toMatch(/curl -H 'Authorization: Bearer parley_at_/);

  const { server, tokens } = await authorize();
  expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, api_base_url: parley.url });
  const sdk = new Parley({ baseUrl: parley.url, accessToken: tokens.access_token, fetch });

  const me = await sdk.me();
  expect(me.data.attributes).toMatchObject({ plan: "pro", user: { email: "pro@demo.parley.dev" } });
  const chatbots = await sdk.chatbots.list();
  expect(chatbots.meta).toMatchObject({ api_version: "2024-01-01", total: 3, limit: 50 });
  let leads = 0;
  for await (const lead of sdk.leads.list({ limit: 20 })) {
    expect(lead.type).toBe("lead");
    leads += 1;
  }
  expect(leads).toBe(45);

  const chatbotId = chatbots.data[0]?.id ?? "";
  const { data: subscription } = await sdk.webhooks.subscribe({
    target_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    event_types: ["lead.created", "lead.qualified"],
    filters: { chatbot_id: chatbotId },
  });
  expect(subscription.secret).toMatch(/^parley_ws_/);

  const { data: lead } = await sdk.leads.create({
    chatbot_id: chatbotId,
    contact: { name: "Zoë Müller 🦊", email: "zoe@example.com" },
    score: 90,
  });
  expect(lead.attributes.status).toBe("qualified");

  await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 60_000 });
  const events = await Promise.all(
    received.map(({ headers, body }) =>
      verifyWebhook({ payload: body, headers, secret: subscription.secret }),
    ),
  );
  expect(events.map(({ type }) => type).sort()).toEqual(["lead.created", "lead.qualified"]);
  for (const event of events) expect(event.data).toEqual(lead); // Pushed and polled records look alike.
  for (const delivery of received) verifyByHand(delivery, subscription.secret);

  await sdk.webhooks.delete(subscription.id);
  await sdk.leads.create({ chatbot_id: chatbotId, contact: { name: "Unsubscribed" } });
  expect((await sdk.webhooks.list()).data).toEqual([]);

  const refresh = await oauth.refreshTokenGrantRequest(
    server,
    client,
    secret,
    tokens.refresh_token ?? "",
    options,
  );
  const refreshed = await oauth.processRefreshTokenResponse(server, client, refresh);
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  expect(
    (await new Parley({ baseUrl: parley.url, accessToken: refreshed.access_token, fetch }).me()).data.id,
  ).toBe(me.data.id);
  expect(received).toHaveLength(2);
});

/** Verifies a delivery with node:crypto: HMAC in constant time, timestamp within 300 seconds. */
function verifyByHand({ headers, body }: Received, secret: string): void {
  const timestamp = String(headers["x-parley-timestamp"]);
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  const given = String(headers["x-parley-signature"]);
  expect(timingSafeEqual(Buffer.from(`sha256=${expected}`), Buffer.from(given))).toBe(true);
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(300);
}

test("the reference is served with a strict policy", async () => {
  const page = await globalThis.fetch(`${parley.url}/docs/`);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await page.text()).toContain("<title>Parley API reference</title>");
  const redirected = await globalThis.fetch(`${parley.url}/docs`);
  expect(redirected.url).toBe(`${parley.url}/docs/`);
  const contract = await globalThis.fetch(`${parley.url}/docs/openapi.json`);
  expect(await contract.json()).toMatchObject({ openapi: "3.1.0", info: { version: "2024-01-01" } });
});
