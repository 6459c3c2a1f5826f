import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect as openSocket } from "node:net";
import { connect, listApiRequests, requestCounts } from "@parley/database";
import { soon } from "@parley/webhooks/testing";
import { beforeEach, expect, test, vi } from "vitest";
import { as, asPlatform, startApi, useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const api = useApi();
let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant(api.db);
});

const anHourAgo = () => new Date(Date.now() - 3_600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Waits until the log of an organization has a number of entries, and returns them, oldest first. */
async function logged(count: number, { organizationId } = tenant) {
  const list = async () => (await listApiRequests(api.db, { organizationId }, { limit: 100 })).rows;
  await vi.waitFor(async () => expect(await list()).toHaveLength(count), soon);
  return (await list()).toReversed();
}

/** Returns the sum of an organization's counts. */
async function counted({ organizationId } = tenant) {
  const total = { requests: 0, errors: 0, limited: 0, dropped: 0 };
  for (const { minute, ...counts } of await requestCounts(api.db, organizationId, anHourAgo(), inAnHour())) {
    expect(minute.getTime() % 60_000).toBe(0);
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
  }
  return total;
}

test("logs every field of a request", async () => {
  const from = Date.now();
  const response = await as(api, tenant)("GET", "/api/v1/leads?limit=5&email=ada%40example.com");
  const [entry] = await logged(1);
  const { grantId, userId } = tenant;
  expect(entry).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requestedAt: expect.any(Date),
    method: "GET",
    route: "/api/v1/leads",
    statusCode: 200,
    durationMs: expect.any(Number),
    clientId: "test-client",
    userId,
    grantId,
    requestId: response.headers.get("x-request-id"),
    errorCode: null,
    errorDescription: null,
  });
  const requestedAt = entry?.requestedAt.getTime() ?? 0;
  expect(requestedAt).toBeGreaterThanOrEqual(from - 1);
  expect(requestedAt + (entry?.durationMs ?? 0)).toBeLessThanOrEqual(Date.now());
  expect(await counted()).toEqual({ requests: 1, errors: 0, limited: 0, dropped: 0 });
});

test("logs the path template, the method HEAD, and the ID that the caller gave the request", async () => {
  const id = randomUUID();
  const call = as(api, tenant);
  await call("GET", `/api/v1/leads/${id}`, undefined, { "x-request-id": "order-17" });
  const authorization = `Bearer ${tenant.token}`;
  await fetch(`${api.url}/api/v1/leads`, { method: "HEAD", headers: { authorization } });
  const [get, head] = await logged(2);
  expect(get).toMatchObject({
    route: "/api/v1/leads/{id}",
    requestId: "order-17",
    statusCode: 404,
    errorCode: "not_found",
    errorDescription: "No lead with this ID exists.",
  });
  expect(head).toMatchObject({ method: "HEAD", route: "/api/v1/leads", statusCode: 200 });
  expect(JSON.stringify([get, head])).not.toContain(id);
});

test("logs requests that are refused because of the plan, the scope or the rate limit", async () => {
  const free = await createTenant(api.db, { plan: "free" });
  const narrow = await createTenant(api.db, { scopes: ["leads:read"] });
  const busy = await createTenant(api.db, { plan: "starter" });
  expect((await as(api, free)("GET", "/api/v1/leads")).status).toBe(403);
  expect((await as(api, narrow)("GET", "/api/v1/tickets")).status).toBe(403);
  const headers = { authorization: `Bearer ${busy.token}` };
  const sent = Array.from({ length: 101 }, () => fetch(`${api.url}/api/v1/me`, { headers }));
  expect((await Promise.all(sent)).filter(({ status }) => status === 429)).toHaveLength(1);
  expect(await logged(1, free)).toMatchObject([
    {
      statusCode: 403,
      errorCode: "plan_required",
      errorDescription: "API access requires the Starter plan or higher.",
      clientId: "test-client",
    },
  ]);
  expect(await logged(1, narrow)).toMatchObject([
    {
      statusCode: 403,
      errorCode: "insufficient_scope",
      errorDescription: "This request needs the scope tickets:read.",
    },
  ]);
  const limited = { organizationId: busy.organizationId, status: "429" as const };
  await vi.waitFor(async () => {
    expect((await listApiRequests(api.db, limited, { limit: 5 })).rows).toMatchObject([
      { statusCode: 429, errorCode: "rate_limit_exceeded" },
    ]);
  }, soon);
  expect(await counted(busy)).toMatchObject({ errors: 1, limited: 1 });
  expect(await counted(free)).toMatchObject({ errors: 1, limited: 0 });
});

test("does not log requests without a valid token, and keeps organizations apart", async () => {
  const other = await createTenant(api.db);
  const wrong = { token: `parley_at_${randomBytes(32).toString("base64url")}` };
  expect((await as(api, wrong)("GET", "/api/v1/leads")).status).toBe(401);
  expect((await fetch(`${api.url}/api/v1/leads`)).status).toBe(401);
  const platform = asPlatform({ ...api, platformKey: "wrong" }, tenant.organizationId);
  expect((await platform("PUT", "/chatbots/bot", { name: "Bot", model: "m" })).status).toBe(401);
  // Refused before the key is checked.
  const inQuery = `${api.url}/api/platform/v1/organizations/${tenant.organizationId}/chatbots/bot?access_token=x`;
  const refused = await fetch(inQuery, { method: "PUT", headers: { authorization: "Bearer wrong" } });
  expect(refused.status).toBe(400);
  await as(api, tenant)("GET", "/api/v1/me");
  await as(api, other)("GET", "/api/v1/chatbots");
  expect(await logged(1, other)).toMatchObject([{ route: "/api/v1/chatbots", userId: other.userId }]);
  expect(await logged(1)).toMatchObject([{ route: "/api/v1/me", userId: tenant.userId }]);
  expect(await counted(other)).toMatchObject({ requests: 1 });
});

test("logs requests of the Platform API without client, and ignores unknown organizations", async () => {
  const unknown = asPlatform(api, randomUUID());
  const bot = { name: "Bot", model: "m" };
  const before = await api.db.apiRequest.count();
  expect((await unknown("PUT", "/chatbots/bot", bot)).status).toBe(404);
  expect((await asPlatform(api, "none")("PUT", "/chatbots/bot", bot)).status).toBe(404);
  const id = tenant.organizationId.toUpperCase();
  expect((await asPlatform(api, id)("PUT", "/chatbots/secret-bot", bot)).status).toBe(200);
  const [entry] = await logged(1);
  expect(entry).toMatchObject({
    method: "PUT",
    route: "/api/platform/v1/organizations/{organization_id}/chatbots/{external_id}",
    statusCode: 200,
    clientId: null,
    userId: null,
    grantId: null,
  });
  expect(await api.db.apiRequest.count()).toBe(before + 1);
});

test("logs a request whose client disconnected before the response", async () => {
  const blocker = await connect(api.databaseUrl);
  await blocker.query("BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE");
  const { hostname, port } = new URL(api.url);
  const socket = openSocket(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    `GET /api/v1/leads HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${tenant.token}\r\n\r\n`,
  );
  const waits = "SELECT FROM pg_locks WHERE relation = 'leads'::regclass AND NOT granted";
  await vi.waitFor(async () => expect((await api.db.$queryRawUnsafe<object[]>(waits)).length).toBe(1), soon);
  socket.destroy();
  await once(socket, "close");
  await new Promise((resolve) => setTimeout(resolve, 100)); // Until the server has noticed.
  await blocker.end();
  expect(await logged(1)).toMatchObject([{ route: "/api/v1/leads", statusCode: 200 }]);
});

const random = () => randomBytes(24).toString("base64url");
/** Texts that must not be stored, wherever they are sent. */
const hidden = { key: random(), value: random(), header: `x${random().replaceAll("_", "-")}` };

test("stores no bodies, query values, keys or tokens, wherever a client sends them", async () => {
  const { token, chatbotId } = tenant;
  const secrets = [token, ...Object.values(hidden), api.platformKey];
  const call = as(api, tenant);
  const target = { target_url: "https://a.example/", event_types: ["lead.created"] };
  const condition = (field: string, value: unknown) => ({
    ...target,
    filters: { conditions: [{ field, op: "equals", value }] },
  });
  const platform = asPlatform(api, tenant.organizationId);
  const raw = (body: string, headers: Record<string, string>) =>
    fetch(`${api.url}/api/v1/leads`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const lead = { chatbot_id: chatbotId, contact: { name: hidden.value } };
  const responses = [
    await call("GET", `/api/v1/leads?${hidden.key}=${hidden.value}`),
    await call("GET", `/api/v1/leads?limit=${hidden.value}`),
    await call("GET", `/api/v1/leads?cursor=${hidden.value}`),
    await call("GET", `/api/v1/leads/${hidden.value}`),
    await call("GET", "/api/v1/leads", undefined, { "x-request-id": token }),
    await call("POST", "/api/v1/leads", { [token]: hidden.value }),
    await call("POST", "/api/v1/leads", { [`a b/${hidden.key} c`]: 1 }),
    await call("POST", "/api/v1/leads", { ...lead, contact: { [hidden.key]: hidden.value } }),
    await call("POST", "/api/v1/leads", { ...lead, score: hidden.value }),
    await call("POST", "/api/v1/leads", { ...lead, qualification: { [hidden.key]: "\0" } }),
    await call("POST", "/api/v1/leads", { ...lead, qualification: { [`${hidden.key}\0`]: "" } }),
    await call("POST", "/api/v1/leads", lead, { "idempotency-key": hidden.key }),
    await call("POST", "/api/v1/leads", { ...lead, score: 1 }, { "idempotency-key": hidden.key }),
    await call("POST", "/api/v1/leads", lead, { "idempotency-key": hidden.key.repeat(20) }),
    await raw(hidden.value, { "content-type": `text/${hidden.key}` }),
    await raw(`{"${hidden.key}`, { "content-type": "application/json" }),
    await call("POST", "/api/v1/webhooks/subscribe", {
      ...target,
      target_url: `http://${hidden.header}.example/`,
    }),
    await call("POST", "/api/v1/webhooks/subscribe", { ...target, headers: { [`${hidden.header} `]: "x" } }),
    await call("POST", "/api/v1/webhooks/subscribe", {
      ...target,
      headers: { [`sec-${hidden.header}`]: hidden.value },
    }),
    await call("POST", "/api/v1/webhooks/subscribe", {
      ...target,
      headers: { [hidden.header]: `${hidden.value}\n` },
    }),
    await call("POST", "/api/v1/webhooks/subscribe", { ...target, event_types: [hidden.value] }),
    await call("POST", "/api/v1/webhooks/subscribe", condition(`data.${hidden.key}`, hidden.value)),
    await call("POST", "/api/v1/webhooks/subscribe", condition("data.attributes.score", hidden.value)),
    await call(
      "POST",
      "/api/v1/webhooks/subscribe",
      condition(`data.attributes.qualification.${hidden.key}`, hidden.value),
    ),
    await platform("PUT", `/chatbots/${hidden.value}`, { [hidden.key]: hidden.value }),
    await platform("PUT", `/leads/${hidden.value}`, { chatbot_external_id: hidden.value }),
    await platform("POST", "/batch", { items: [{ type: hidden.value }], [hidden.key]: 1 }),
  ];
  const entries = await logged(responses.length);
  const rows = await api.db.$queryRaw<{ text: string }[]>`
    SELECT row_to_json(r)::text AS text FROM api_requests r WHERE organization_id = ${tenant.organizationId}::uuid`;
  const text = rows.map((row) => row.text).join("\n");
  expect(rows).toHaveLength(responses.length);
  expect(secrets.filter((secret) => text.includes(secret) || text.includes(btoa(secret)))).toEqual([]);

  const described = new Map(entries.map((entry) => [entry.requestId, entry]));
  const descriptions: string[] = [];
  for (const response of responses) {
    const { error = null } = (await response.json()) as { error?: string };
    const id = response.headers.get("x-request-id") ?? "";
    const entry = described.get(id === token ? "…" : id);
    expect(entry).toMatchObject({ statusCode: response.status, errorCode: error });
    if (entry?.errorDescription) descriptions.push(entry.errorDescription);
  }
  expect(descriptions).toMatchInlineSnapshot(`
    [
      "query/… is not a known parameter",
      "query/limit must be an integer from 1 to 100",
      "query/cursor must be the meta.next_cursor of a response to a request with the same path, filters and sort",
      "No lead with this ID exists.",
      "body/chatbot_id is required",
      "body/chatbot_id is required",
      "body/contact/… is not a known field",
      "body/score must be an integer from 0 to 100",
      "body/qualification/… must not contain a NUL character or an unpaired surrogate",
      "body/qualification must not contain a NUL character or an unpaired surrogate",
      "The Idempotency-Key was used for a different request within the last 24 hours. Use a new key for each change.",
      "headers/idempotency-key must have at most 255 characters",
      "Content-Type must be application/json.",
      "The body is not valid JSON.",
      "body/target_url must be an https URL",
      "body/headers/… is not the name of an HTTP header",
      "body/headers/… is reserved: Parley or HTTP sets this header",
      "body/headers/… must be visible ASCII characters, with spaces only between them",
      "body/event_types/0 must be one of lead.created, lead.updated, lead.qualified, lead.converted, lead.score_changed, conversation.started, conversation.ended, conversation.message_received, conversation.sentiment_negative, conversation.sentiment_positive, ticket.created, ticket.updated, ticket.resolved",
      "body/filters/conditions/0/field "…" is not a field of lead.created",
      "body/filters/conditions/0/value must be a number, as "…" is",
      "body/name is required",
      "body/chatbot_external_id must be the external_id of a chatbot of the organization",
      "body/… is not a known field",
    ]
  `);
});

test("names the known part of a path in the description of an error", async () => {
  const call = as(api, tenant);
  const { chatbotId: chatbot_id } = tenant;
  const description = async (body: object) => {
    const response = await call("POST", "/api/v1/leads", body);
    const requestId = response.headers.get("x-request-id") ?? "";
    const { organizationId } = tenant;
    return vi.waitFor(async () => {
      const { rows } = await listApiRequests(api.db, { organizationId, requestId }, { limit: 2 });
      expect(rows).toHaveLength(1);
      return rows[0]?.errorDescription;
    }, soon);
  };
  expect(await description({ chatbot_id, contact: {}, score: "x" })).toMatch(
    /^body\/score must be an integer /,
  );
  expect(await description({ chatbot_id, contact: { emial: "a@example.com" } })).toBe(
    "body/contact/… is not a known field. Did you mean email?",
  );
  expect(await description({ chatbot_id })).toBe("body/contact is required");
});

test("cuts a description to 300 characters", async () => {
  const call = as(api, tenant);
  const field = Array.from({ length: 200 }, () => "x").join(".");
  const filters = { conditions: [{ field: "data.attributes.score", op: "equals", value: field }] };
  const conditions = Array.from({ length: 10 }, () => filters.conditions[0]);
  const target = { target_url: "https://a.example/", event_types: ["*"], filters: { conditions } };
  await call("POST", "/api/v1/webhooks/subscribe", target);
  await call("POST", "/api/v1/webhooks/subscribe", { ...target, event_types: ["none"], filters: {} });
  const lengths = (await logged(2)).map(({ errorDescription }) => errorDescription?.length ?? 0);
  expect(Math.max(...lengths)).toBe(300);
});

test("stores no entries but counts when the log is switched off", async () => {
  const off = await startApi({ DATABASE_URL: api.databaseUrl, REQUEST_LOG_DAYS: "0" });
  await as(off, tenant)("GET", "/api/v1/leads");
  await as(off, tenant)("GET", "/api/v1/leads?limit=0");
  await vi.waitFor(async () => {
    expect(await counted()).toEqual({ requests: 2, errors: 1, limited: 0, dropped: 0 });
  }, soon);
  await off.close();
  expect(await api.db.apiRequest.count({ where: { organizationId: tenant.organizationId } })).toBe(0);
});

test("writes the rest when the server stops", async () => {
  const stopping = await startApi({ DATABASE_URL: api.databaseUrl });
  for (let i = 0; i < 3; i += 1) await as(stopping, tenant)("GET", "/api/v1/me");
  await stopping.close();
  expect(await api.db.apiRequest.count({ where: { organizationId: tenant.organizationId } })).toBe(3);
  expect(await counted()).toMatchObject({ requests: 3 });
});

test("responds without waiting for the log", async () => {
  const blocker = await connect(api.databaseUrl);
  await blocker.query("BEGIN; LOCK TABLE api_requests IN ACCESS EXCLUSIVE MODE");
  const call = async () => expect((await as(api, tenant)("GET", "/api/v1/me")).status).toBe(200);
  await call();
  const waits = "SELECT FROM pg_locks WHERE relation = 'api_requests'::regclass AND NOT granted";
  await vi.waitFor(async () => expect((await api.db.$queryRawUnsafe<object[]>(waits)).length).toBe(1), soon);
  for (let i = 0; i < 5; i += 1) await call();
  await blocker.end();
  await vi.waitFor(async () => expect(await counted()).toMatchObject({ requests: 6, dropped: 0 }), soon);
  expect(await api.db.apiRequest.count({ where: { organizationId: tenant.organizationId } })).toBe(6);
});
