import { createHash, randomBytes, randomUUID } from "node:crypto";
import { TestBrowser } from "@parley/api/testing";
import { conformingFetch } from "@parley/contract/testing";
import { createDatabase, type Database, hashPassword, hashToken } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import type { Program } from "@parley/testing/program";
import { createSecretBox } from "@parley/webhooks";
import { type Receiver, respondingWith, soon, startReceiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startScript } from "./spawned.ts";

// Runs the API and a worker with the most verbose logs through all operations with secrets, and checks that the logs and the stored
// log of API requests contain no secret.

const random = () => randomBytes(24).toString("base64url");
const key = () => randomBytes(32).toString("base64");

/** Secrets of the run, by kind. */
const secrets: Record<string, string> = {
  "encryption key": key(),
  "old encryption key": key(),
  "platform key": `parley_pk_${random()}`,
  "notice secret": random(),
  "password in the notice URL": random(),
  "token in the notice URL": random(),
  password: `right ${random()}`,
  "wrong password": `wrong ${random()}`,
  "client secret": random(),
  "wrong client secret": random(),
  "token that is none": `parley_at_${random()}`,
};
const secret = (name: string) => secrets[name] ?? "";

const redirectUri = "http://127.0.0.1/callback";
const fetch = conformingFetch();
const client = { client_id: "logged-client", client_secret: secret("client secret") };
const email = "ada@example.com";
let database: TestDatabase;
let db: Database;
let receiver: Receiver;
let operator: Receiver;
let api: Program;
let worker: Program;
let url: string;
let chatbotId: string;
let organizationId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2 });
  receiver = await startReceiver(respondingWith(200));
  operator = await startReceiver(respondingWith(500));
  await seed();
  const noticeUrl = new URL(`${operator.url}?token=${secret("token in the notice URL")}`);
  noticeUrl.username = "operator";
  noticeUrl.password = secret("password in the notice URL");
  const common = {
    DATABASE_URL: database.url,
    PARLEY_ENCRYPTION_KEY: secret("encryption key"),
    PARLEY_ENCRYPTION_KEYS_OLD: secret("old encryption key"),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
    LOG_LEVEL: "trace",
  };
  api = startScript("apps/api/src/main.mjs", {
    ...common,
    PORT: "0",
    SHUTDOWN_DELAY_MS: "0",
    PLATFORM_KEY_HASHES: Buffer.from(hashToken(secret("platform key"))).toString("hex"),
  });
  worker = startScript("apps/worker/src/main.mjs", {
    ...common,
    DELIVERY_BACKOFF: "0",
    DELIVERY_MAX_FAILURES: "2",
    METRICS_PORT: "0",
    NOTICE_URL: noticeUrl.href,
    NOTICE_SECRET: secret("notice secret"),
  });
  [, url = ""] = await api.output(/Server listening at (http:\/\/[^"]+)/);
  await worker.output(/delivery worker started/);
}, 300_000);

afterAll(async () => {
  await api.stop();
  await worker.stop();
  await receiver.close();
  await operator.close();
  await db.$disconnect();
  await database.release();
});

async function seed(): Promise<void> {
  await db.oAuthClient.create({
    data: {
      id: client.client_id,
      name: "Logged client",
      redirectUris: [redirectUri],
      secrets: { create: { secretHash: hashToken(client.client_secret) } },
    },
  });
  const organization = await db.organization.create({
    data: {
      name: "Logged",
      plan: "business",
      users: {
        create: { email, name: "Ada", passwordHash: await hashPassword(secret("password")), role: "admin" },
      },
      chatbots: { create: { name: "Bot", model: "m" } },
    },
    include: { chatbots: true },
  });
  organizationId = organization.id;
  chatbotId = organization.chatbots[0]?.id ?? "";
}

function keep(name: string, value: string | undefined): string {
  if (!value || value.length < 16) throw new Error(`there is no ${name}`);
  secrets[name] = value;
  return value;
}

const form = (path: string, fields: Record<string, string>) =>
  fetch(`${url}${path}`, { method: "POST", body: new URLSearchParams(fields) });

/** Signs in, allows access, exchanges the code, refreshes the tokens, sends invalid requests, and returns an access token. */
async function authorize(): Promise<string> {
  const verifier = keep("code verifier", random() + random());
  const page = new URL(`${url}/api/oauth/authorize`);
  page.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: "leads:read leads:write webhooks:manage",
    state: "state",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  const browser = new TestBrowser(fetch);
  await browser.press("sign_in", page.href, { email, password: secret("wrong password") });
  await browser.press("sign_in", page.href, { email, password: secret("password") });
  for (const [name, value] of browser.cookies) keep(`cookie ${name}`, value);
  const response = await browser.press("allow", page.href);
  const code = keep(
    "code",
    new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? undefined,
  );

  const exchange = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const wrong = { ...client, client_secret: secret("wrong client secret") };
  expect((await form("/api/oauth/token", { ...exchange, ...wrong })).status).toBe(401);
  const first = await tokens({ ...exchange, ...client });
  keep("first access token", first.access_token);
  const refresh = { grant_type: "refresh_token", refresh_token: keep("refresh token", first.refresh_token) };
  const second = await tokens({ ...refresh, ...client });
  keep("second refresh token", second.refresh_token);
  await form("/api/oauth/revoke", { token: secret("token that is none"), ...client });
  return keep("access token", second.access_token);
}

async function tokens(fields: Record<string, string>) {
  const response = await form("/api/oauth/token", fields);
  expect(response.status).toBe(200);
  return (await response.json()) as { access_token: string; refresh_token: string };
}

function callWith(token: string) {
  return async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: (await response.json()) as { data: { id: string; secret: string } },
    };
  };
}

/** Keeps the last part of the private key, which differs between keys. */
async function keepSigningKey(name: string): Promise<void> {
  const { privateKey } = await db.organizationSigningKey.findFirstOrThrow({ where: { organizationId } });
  const secretBox = createSecretBox(Buffer.from(secret("encryption key"), "base64"));
  keep(name, secretBox.decrypt(privateKey, organizationId).slice(-40));
}

/** Subscribes, delivers, tests, rotates, fails, resumes and redelivers. */
async function useWebhooks(token: string): Promise<void> {
  const call = callWith(token);
  const createLead = () => call("POST", "/api/v1/leads", { chatbot_id: chatbotId, contact: {} });
  const received = (count: number) =>
    vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count), soon);
  const wanted = { target_url: receiver.url, event_types: ["lead.created"], public_key_signature: true };
  const once = { "idempotency-key": randomUUID() };
  const { body } = await call("POST", "/api/v1/webhooks/subscribe", wanted, once);
  await call("POST", "/api/v1/webhooks/subscribe", wanted, once);
  keep("signing secret", body.data.secret);
  const path = `/api/v1/webhooks/${body.data.id}`;
  await createLead();
  await received(1);
  expect((await call("POST", `${path}/test`)).status).toBe(200);
  await keepSigningKey("private key");
  await call("POST", "/api/v1/webhooks/signing-keys/rotate", { immediately: true });
  await keepSigningKey("rotated private key");
  keep("next signing secret", (await call("POST", `${path}/rotate-secret`)).body.data.secret);
  const rotated = await call("POST", `${path}/rotate-secret`, { immediately: true });
  keep("rotated signing secret", rotated.body.data.secret);
  await createLead();
  await received(3);

  receiver.respond = respondingWith(500);
  await createLead();
  await worker.output(/subscription failed; nothing is sent until it is resumed/);
  await worker.output(/notice not delivered to NOTICE_URL/);
  receiver.respond = respondingWith(200);
  operator.respond = respondingWith(200);
  expect((await call("POST", `${path}/resume`, { fill_gap: true })).status).toBe(200);
  await worker.output(/subscription recovered/);
  expect(
    (await call("POST", `${path}/redeliver`, { since: "2026-01-01T00:00:00Z", status: "delivered" })).status,
  ).toBe(202);
  await call("PATCH", path, { target_url: "https://no-such-host.invalid/" });
  await call("POST", `${path}/test`);

  // A secret that no key decrypts: the worker logs it, and a test delivery returns it as error.
  const { id } = (await call("POST", "/api/v1/webhooks/subscribe", wanted)).body.data;
  await db.subscription.update({ where: { id }, data: { secret: Buffer.from(secret("signing secret")) } });
  await createLead();
  await worker.output(/secrets of the subscription cannot be decrypted/);
  expect((await call("POST", `/api/v1/webhooks/${id}/test`)).status).toBe(200);

  // A stored response that no key decrypts: its request fails.
  await db.idempotencyKey.updateMany({ data: { response: Buffer.from(secret("signing secret")) } });
  expect((await call("POST", "/api/v1/webhooks/subscribe", wanted, once)).status).toBe(500);
}

/** Requests of clients that send secrets in wrong places. */
async function misuse(token: string): Promise<void> {
  const json = { "content-type": "application/json" };
  const authorized = { ...json, authorization: `Bearer ${token}` };
  await fetch(`${url}/api/v1/leads?access_token=${token}`);
  await fetch(`${url}/api/v1/leads/${token}`, { headers: { ...authorized, "x-request-id": token } });
  await fetch(`${url}/api/v1/leads`, {
    headers: { authorization: `Basic ${btoa(`x:${client.client_secret}`)}` },
  });
  await fetch(`${url}/api/v1/leads`, {
    method: "POST",
    headers: authorized,
    body: `{"secret": "${secret("signing secret")}`,
  });
  await fetch(`${url}/api/v1/leads`, {
    method: "POST",
    headers: authorized,
    body: JSON.stringify({ chatbot_id: chatbotId, contact: {}, [token]: token }),
  });
  await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${secret("token that is none")}` } });
  await form("/api/oauth/token", {
    grant_type: "password",
    username: email,
    password: secret("password"),
    ...client,
  });
  const platform = callWith(secret("platform key"));
  const inPlatform = `/api/platform/v1/organizations/${organizationId}`;
  const lead = await platform("PUT", `${inPlatform}/chatbots/bot`, { name: "Bot", model: "m" });
  expect(lead.status).toBe(200);
  await platform("POST", `${inPlatform}/batch`, { items: [{ type: "lead" }] });
}

/** Returns the secrets that a text contains, in any form. */
function secretsIn(text: string): string[] {
  const found = Object.entries(secrets).filter(([, value]) =>
    [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), btoa(value)].some((form) =>
      text.includes(form),
    ),
  );
  return found.map(([name]) => name);
}

/** Opens a console link twice. */
async function openConsoleLink(): Promise<void> {
  const path = `/api/platform/v1/organizations/${organizationId}/console-links`;
  const { body } = await callWith(secret("platform key"))("POST", path, { role: "admin", name: "Ada" });
  const { url: link } = body.data as unknown as { url: string };
  keep("token of a console link", new URL(link).searchParams.get("token") ?? undefined);
  const browser = new TestBrowser(fetch);
  expect((await browser.get(link)).status).toBe(303);
  for (const [name, value] of browser.cookies) keep(`cookie ${name} of a console link`, value);
  expect((await browser.get(link)).status).toBe(410);
}

test("the logs of a full run contain no secrets", async () => {
  const token = await authorize();
  await useWebhooks(token);
  await misuse(token);
  await openConsoleLink();
  await api.stop();
  await worker.stop();

  const logs = api.text() + worker.text();
  for (const said of [
    "request completed",
    "/api/oauth/token",
    "/console/link",
    "request failed",
    "subscription started to fail",
  ]) {
    expect(logs).toContain(said);
  }
  const databasePassword = new URL(database.url).password;
  if (databasePassword.length > 8) secrets["database password"] = databasePassword;
  expect(secretsIn(logs)).toEqual([]);
  const requests = await db.$queryRaw<{ text: string }[]>`SELECT r::text AS text FROM api_requests r`;
  const stored = requests.map(({ text }) => text).join("\n");
  for (const said of ["/api/v1/webhooks/subscribe", "/batch", "body/… is not a known field"]) {
    expect(stored).toContain(said);
  }
  expect(secretsIn(stored)).toEqual([]);
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(20);
}, 300_000);
