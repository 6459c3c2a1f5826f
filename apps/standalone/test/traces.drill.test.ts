import { randomBytes } from "node:crypto";
import { connect, createDatabase, type Database } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { createTenant } from "@parley/database/testing/tenant";
import type { Program } from "@parley/testing/program";
import { createSecretBox, createSigningSecret } from "@parley/webhooks";
import { holding, type Receiver, respondingWith, soon, startReceiver } from "@parley/webhooks/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startScript } from "./spawned.ts";

// Runs the API and a worker in separate processes, with a collector that receives OTLP in JSON.

const key = randomBytes(32);
const traceId = randomBytes(16).toString("hex");
const callerSpan = randomBytes(8).toString("hex");
/** Values of the request that must not be in spans. */
const secrets = {
  token: "",
  email: "grace.hopper@example.com",
  name: "Grace Hopper",
  query: "tracked-query-value",
  path: "/hooks/T0/secret-path",
};

let database: TestDatabase;
let db: Database;
let collector: Receiver;
let receiver: Receiver;
let organizationId: string;
let chatbotId: string;
let subscriptionId: string;
const processes: Program[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2 });
  collector = await startReceiver(respondingWith(200));
  receiver = await startReceiver(respondingWith(200));
  await seed();
});
afterEach(async () => {
  for (const running of processes.splice(0)) await running.stop();
  await collector.close();
  await receiver.close();
  await db.$disconnect();
  await database.release();
});

async function seed(): Promise<void> {
  const client = await connect(database.url);
  ({ organizationId, token: secrets.token } = await createTenant(client));
  await client.end();
  const chatbot = await db.chatbot.create({ data: { organizationId, name: "Bot", model: "m" } });
  chatbotId = chatbot.id;
  const subscription = await db.subscription.create({
    data: {
      organizationId,
      eventTypes: ["lead.created"],
      targetUrl: new URL(`${secrets.path}?q=${secrets.query}`, receiver.url).href,
      secret: createSecretBox(key).encrypt(createSigningSecret(), organizationId),
      queue: { create: {} },
    },
  });
  subscriptionId = subscription.id;
}

const traced = () => ({
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_BSP_SCHEDULE_DELAY: "100",
});

function start(app: "api" | "worker", variables: Record<string, string> = {}): Program {
  const running = startScript(`apps/${app}/src/main.mjs`, {
    DATABASE_URL: database.url,
    PARLEY_ENCRYPTION_KEY: key.toString("base64"),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
    ...(app === "api" && { PORT: "0", SHUTDOWN_DELAY_MS: "0" }),
    ...variables,
  });
  processes.push(running);
  return running;
}

async function startApi(variables: Record<string, string> = {}) {
  const api = start("api", variables);
  const [, url = ""] = await api.output(/Server listening at (http:\/\/[^"]+)/);
  return { api, url };
}

async function startWorker(variables: Record<string, string> = {}): Promise<Program> {
  const worker = start("worker", variables);
  await worker.output(/delivery worker started/);
  return worker;
}

function call(url: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${secrets.token}`,
      traceparent: `00-${traceId}-${callerSpan}-01`,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function createLead(url: string): Promise<void> {
  const contact = { name: secrets.name, email: secrets.email };
  const response = await call(url, "POST", "/api/v1/leads", { chatbot_id: chatbotId, contact });
  expect(response.status).toBe(201);
}

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** Returns the spans that the collector received, with the name of their service. */
function spans(): (ReceivedSpan & { service: unknown; values: Record<string, unknown> })[] {
  const batches = collector.received.map(
    ({ body }) =>
      JSON.parse(body) as {
        resourceSpans: {
          resource: { attributes: ReceivedSpan["attributes"] };
          scopeSpans: { spans: ReceivedSpan[] }[];
        }[];
      },
  );
  return batches
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans
        .flatMap((scope) => scope.spans)
        .map((span) => ({
          ...span,
          service: valuesOf(resource.attributes)["service.name"],
          values: valuesOf(span.attributes),
        })),
    );
}

function valuesOf(attributes: ReceivedSpan["attributes"]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key: name, value }) => [name, Object.values(value)[0]]));
}

const spanOf = (name: string) => spans().find((span) => span.name === name);
const received = () => vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), soon);

/** Returns the text of a sent event's `traceparent`. */
async function storedTraceparents(): Promise<(string | null)[]> {
  return (await db.event.findMany({ select: { traceparent: true } })).map(({ traceparent }) => traceparent);
}

describe("with OpenTelemetry's variables, a trace", () => {
  test("leads from the request over the change and the event to the attempt, and to the receiver", async () => {
    const { url } = await startApi(traced());
    await startWorker({ ...traced(), OTEL_SERVICE_NAME: "senders" });
    await createLead(url);
    await received();
    await vi.waitFor(() => expect(spans()).toHaveLength(4), soon);
    const [request, change, event, attempt] = [
      "POST /api/v1/leads",
      "change",
      "publish lead.created",
      "POST",
    ].map(spanOf);
    expect(spans().map((span) => span.traceId)).toEqual(Array.from({ length: 4 }, () => traceId));
    expect([request, change, event, attempt].map((span) => span?.parentSpanId)).toEqual([
      callerSpan,
      request?.spanId,
      change?.spanId,
      event?.spanId,
    ]);
    expect([request, change, event, attempt].map((span) => span?.service)).toEqual([
      "parley-api",
      "parley-api",
      "parley-api",
      "senders",
    ]);
    expect(request?.values).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/api/v1/leads",
      "http.response.status_code": 201,
      "parley.operation.id": "createLead",
      "parley.organization.id": organizationId,
    });
    expect(event?.values).toMatchObject({ "parley.event.type": "lead.created" });
    expect(attempt?.values).toMatchObject({
      "http.response.status_code": 200,
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(receiver.url).port),
      "parley.subscription.id": subscriptionId,
      "parley.delivery.id": receiver.received[0]?.headers["x-parley-delivery"],
      "parley.delivery.attempt": 1,
    });
    const sent = `00-${traceId}-${attempt?.spanId}-01`;
    expect(receiver.received[0]?.headers["traceparent"]).toBe(sent);
    expect(await storedTraceparents()).toEqual([`00-${traceId}-${event?.spanId}-01`]);

    const id = receiver.received[0]?.headers["x-parley-delivery"];
    await vi.waitFor(async () => {
      const path = `/api/v1/webhooks/${subscriptionId}/deliveries/${String(id)}`;
      const shown = (await (await call(url, "GET", path)).json()) as {
        data: { attributes: { attempts: { request?: { headers: object } }[] } };
      };
      expect(shown.data.attributes.attempts[0]?.request?.headers).toMatchObject({ traceparent: sent });
    }, soon);
  });

  test("contains no bodies, query values, tokens, email addresses and paths of receivers", async () => {
    const { url } = await startApi(traced());
    await startWorker(traced());
    await createLead(url);
    await call(url, "GET", `/api/v1/leads?email=${secrets.email}&search=${secrets.query}`);
    await call(url, "GET", `/api/v1/leads?access_token=${secrets.token}`);
    await call(url, "GET", `/api/v1/leads/${secrets.token}`);
    await fetch(`${url}/api/v1/me`, { headers: { "x-request-id": secrets.token } });
    await received();
    await vi.waitFor(() => expect(spans().length).toBeGreaterThanOrEqual(8), soon);
    const text = collector.received.map(({ body }) => body).join("\n");
    for (const value of Object.values(secrets)) expect([value, text.includes(value)]).toEqual([value, false]);
    expect(text).not.toContain("@example.com");
    expect(spanOf("GET /api/v1/me")?.values).toMatchObject({
      "parley.error.code": "unauthorized",
      "parley.request.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("shows a failed attempt, and the next attempt of the delivery", async () => {
    const { url } = await startApi(traced());
    await startWorker({ ...traced(), DELIVERY_BACKOFF: "0" });
    receiver.respond = (response) => response.writeHead(receiver.received.length === 1 ? 503 : 200).end();
    await createLead(url);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
    await vi.waitFor(() => expect(spans()).toHaveLength(5), soon);
    const attempts = spans().filter(({ name }) => name === "POST");
    expect(attempts.map(({ values }) => values["parley.delivery.attempt"])).toEqual([1, 2]);
    expect(attempts.map(({ status }) => status.code)).toEqual([2, 0]);
    expect(attempts[0]?.values).toMatchObject({ "error.type": "503" });
    const headers = receiver.received.map((request) => request.headers["traceparent"]);
    expect(headers).toEqual(attempts.map(({ spanId }) => `00-${traceId}-${spanId}-01`));
  });

  test("is flushed on SIGTERM, and its ID is in the log lines of the request", async () => {
    const { api, url } = await startApi({ ...traced(), OTEL_BSP_SCHEDULE_DELAY: "60000" });
    await createLead(url);
    expect(spans()).toEqual([]);
    await api.stop();
    expect(spans().map(({ name }) => name)).toEqual(["publish lead.created", "change", "POST /api/v1/leads"]);
    expect(api.text()).toMatch(new RegExp(`"trace_id":"${traceId}".*"msg":"request completed"`));
  });

  test("does not exist for an event that is not sampled", async () => {
    const { url } = await startApi({ ...traced(), OTEL_TRACES_SAMPLER: "always_off" });
    await startWorker(traced());
    await createLead(url);
    await received();
    expect(await storedTraceparents()).toEqual([null]);
    expect(receiver.received[0]?.headers).not.toHaveProperty("traceparent");
    expect(spans()).toEqual([]);
  });
});

describe("a collector that does not respond", () => {
  test("neither slows the API nor blocks its end", async () => {
    const held = holding();
    collector.respond = held.respond;
    const { api, url } = await startApi({ ...traced(), OTEL_BSP_MAX_QUEUE_SIZE: "32" });
    for (let i = 0; i < 60; i += 1) await createLead(url);
    await vi.waitFor(() => expect(collector.received.length).toBeGreaterThan(0), soon);
    const before = Date.now();
    await api.stop();
    expect(Date.now() - before).toBeLessThan(25_000);
    expect(api.text()).not.toContain("did not stop");
    held.release(respondingWith(200));
  });

  test("is logged once, while deliveries continue", async () => {
    const { origin } = new URL(collector.url);
    await collector.close();
    const variables = { ...traced(), OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_EXPORTER_OTLP_TIMEOUT: "500" };
    const { url } = await startApi(variables);
    const worker = await startWorker(variables);
    for (let i = 0; i < 20; i += 1) await createLead(url);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(20), soon);
    await worker.output(/"name":"tracing".*"msg":"traces not exported"/);
    await worker.stop();
    expect(worker.text().match(/traces not exported/g)).toHaveLength(1);
    expect(worker.text()).not.toContain("did not stop");
    collector = await startReceiver();
  });
});

describe("without OpenTelemetry's variables", () => {
  /** Prints each module of OpenTelemetry that the process loads. */
  const observed = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
      import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (name.startsWith("@opentelemetry/sdk-")) console.error("loaded " + name);
        return next(name, context);
      } });`)}`,
  };

  test("nothing is traced, sent or loaded", async () => {
    const { api, url } = await startApi({ ...observed, OTEL_SERVICE_NAME: "parley" });
    const worker = await startWorker(observed);
    await createLead(url);
    await received();
    expect(await storedTraceparents()).toEqual([null]);
    expect(receiver.received[0]?.headers).not.toHaveProperty("traceparent");
    expect(api.text() + worker.text()).not.toContain("loaded @opentelemetry/sdk-");
  });

  test("but with them, OpenTelemetry is loaded", async () => {
    const { api } = await startApi({ ...observed, ...traced() });
    expect(api.text()).toContain("loaded @opentelemetry/sdk-");
  });
});
