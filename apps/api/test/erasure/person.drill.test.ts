/** Erases a person who is in every place of the database, while others write and receive deliveries, and a worker is killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Schemas } from "@parley/contract";
import { createPool, findWrongCounts } from "@parley/database";
import { createSecretBox } from "@parley/webhooks";
import { type Receiver, startReceiver } from "@parley/webhooks/testing";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { as, asPlatform, startApi, type TestApi } from "../../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../../src/testing/factories.ts";
import { findText } from "./find-text.ts";

const workerProgram = join(import.meta.dirname, "../../../worker/src/main.mjs");
const key = randomBytes(32);
const patience = { timeout: 60_000, interval: 100 };

const email = "Ada.Lovelace@Example.com";
const name = "Ada Quintessa Lovelace";
const searched = [email.toLowerCase(), "ada.lovelace%40example.com", name.toLowerCase()];
/** A person whose email contains the other one. */
const other = { name: "Jo Lovelace", email: "jo.ada.lovelace@example.com" };

let api: TestApi;
let pool: Pool;
let acme: Tenant;
let umbrella: Tenant;
let echo: Receiver;
let broken: Receiver;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  api = await startApi({ PARLEY_ENCRYPTION_KEY: key.toString("base64") });
  pool = createPool(api.databaseUrl, { poolSize: 4 });
  acme = await createTenant(api.db);
  umbrella = await createTenant(api.db);
  echo = await startReceiver((response, { body }) => response.end(body));
  broken = await startReceiver((response, { body }) => response.writeHead(500).end(body));
});
afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await echo.close();
  await broken.close();
  await pool.end();
  await api.close();
});

function startWorker(): ChildProcess {
  const child = spawn(process.execPath, [workerProgram], {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: api.databaseUrl,
      PARLEY_ENCRYPTION_KEY: key.toString("base64"),
      WEBHOOKS_ALLOW_LOOPBACK: "true",
      LOG_LEVEL: "fatal",
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  workers.push(child);
  return child;
}

type Item = [type: string, externalId: string, attributes: object];

async function write(tenant: Tenant, ...items: Item[]): Promise<void> {
  for (let from = 0; from < items.length; from += 200) {
    const response = await asPlatform(api, tenant.organizationId)("POST", "/batch", {
      items: items
        .slice(from, from + 200)
        .map(([type, external_id, attributes]) => ({ type, external_id, attributes })),
    });
    const { meta } = (await response.json()) as Schemas["BatchResponse"];
    if (meta.failed > 0) throw new Error("the records were not written");
  }
}

/** Writes a person's records of every kind, with the email and name wherever a text allows it. */
async function writePerson(tenant: Tenant, id: string, person: { name: string; email: string }) {
  const signature = `${person.name} <${person.email}>`;
  const ofBot = { chatbot_external_id: "bot" };
  const ofLead = { lead_external_id: id };
  await write(
    tenant,
    ["chatbot", "bot", { name: "Sales assistant", model: "parley-large" }],
    ["lead", id, { ...ofBot, contact: person, qualification: { note: signature }, source: signature }],
    ["conversation", `${id}/talk`, { ...ofBot, ...ofLead, visitor: { name: person.name } }],
    [
      "message",
      `${id}/1`,
      {
        conversation_external_id: `${id}/talk`,
        role: "visitor",
        text: `I am\n${person.email}`,
        sentiment: "positive",
      },
    ],
    [
      "message_feedback",
      `${id}/f`,
      { message_external_id: `${id}/1`, rating: "negative", comment: signature },
    ],
    ["conversation", `${id}/mail`, { ...ofBot, visitor: { email: person.email } }],
    [
      "tool_run",
      `${id}/run`,
      {
        ...ofBot,
        conversation_external_id: `${id}/talk`,
        tool: "find",
        status: "failed",
        error: signature,
        duration_ms: 5,
      },
    ],
    [
      "tool_run",
      `${id}/alone`,
      { ...ofBot, tool: "find", status: "failed", error: `no user ${person.email}.`, duration_ms: 5 },
    ],
    ["ticket", `${id}/help`, { subject: signature, ...ofLead }],
    ["ticket", `${id}/mail`, { subject: "Help", requester: person }],
    ["ticket", `${id}/of-talk`, { subject: signature, conversation_external_id: `${id}/talk` }],
    [
      "meeting",
      `${id}/demo`,
      {
        title: `Demo with ${person.name}`,
        starts_at: "2030-01-01T10:00:00Z",
        ends_at: "2030-01-01T11:00:00Z",
        timezone: "Europe/Vienna",
        attendees: [person],
      },
    ],
    ["ticket", `${id}/deleted`, { subject: signature, requester: person }],
    ["lead", id, { ...ofBot, contact: { name: "Renamed" } }],
    ["lead", id, { ...ofBot, contact: person }],
  );
  await asPlatform(api, tenant.organizationId)("DELETE", `/tickets/${encodeURIComponent(`${id}/deleted`)}`);
}

const subscribe = (tenant: Tenant, url: string) =>
  as(api, tenant)("POST", "/api/v1/webhooks/subscribe", { target_url: url, event_types: ["*"] });

const postLead = (tenant: Tenant, person: object, idempotencyKey: string) =>
  as(api, tenant)(
    "POST",
    "/api/v1/leads",
    { chatbot_id: tenant.chatbotId, contact: person },
    {
      "idempotency-key": idempotencyKey,
    },
  );

/** Logs a request whose ID and error contain the email. The API accepts no such ID, but the column allows it. */
const logRequest = () =>
  api.db.apiRequest.create({
    data: {
      id: randomUUID(),
      organizationId: acme.organizationId,
      requestedAt: new Date(),
      method: "POST",
      route: "/api/v1/leads",
      statusCode: 400,
      durationMs: 1,
      requestId: `from-${email}`,
      errorDescription: `No contact ${email}.`,
    },
  });

function decrypt(bytes: Buffer): string | null {
  const box = createSecretBox(key);
  for (const { organizationId } of [acme, umbrella]) {
    try {
      return box.decrypt(bytes, organizationId);
    } catch {
      // It belongs to another organization, or is not encrypted.
    }
  }
  return null;
}
const find = () => findText(pool, searched, other.email, decrypt);

/** Returns the numbers of rows that must not change: those of the other organization, and of the other person. */
async function untouched() {
  const { rows } = await pool.query<{ text: string }>(
    `SELECT t.text FROM (
       SELECT to_jsonb(e)::text AS text, e.id FROM events e
       WHERE organization_id = $1 OR (strpos(body, 'Jo Lovelace') > 0)
       UNION ALL SELECT to_jsonb(l)::text, id FROM leads l WHERE organization_id = $1 OR contact_name = 'Jo Lovelace'
       UNION ALL SELECT to_jsonb(c)::text, id FROM conversations c WHERE organization_id = $1 OR external_id LIKE 'jo/%'
       UNION ALL SELECT to_jsonb(m)::text, id FROM messages m WHERE organization_id = $1 OR external_id LIKE 'jo/%'
       UNION ALL SELECT to_jsonb(f)::text, id FROM message_feedback f WHERE organization_id = $1 OR external_id LIKE 'jo/%'
       UNION ALL SELECT to_jsonb(t)::text, id FROM tickets t WHERE organization_id = $1 OR external_id LIKE 'jo/%'
       UNION ALL SELECT to_jsonb(m)::text, id FROM meetings m WHERE organization_id = $1 OR external_id LIKE 'jo/%'
       UNION ALL SELECT to_jsonb(r)::text, id FROM tool_runs r WHERE organization_id = $1 OR external_id LIKE 'jo/%'
       UNION ALL SELECT to_jsonb(a)::text, delivery_id FROM delivery_attempts a WHERE organization_id = $1
       UNION ALL SELECT to_jsonb(k)::text, NULL FROM idempotency_keys k WHERE organization_id = $1 OR key LIKE 'jo-%') AS t
     ORDER BY id, text`,
    [umbrella.organizationId],
  );
  return rows.map(({ text }) => text);
}

test("nothing of an erased person is left, and everything of others is", { timeout: 240_000 }, async () => {
  for (const tenant of [acme, umbrella]) {
    await subscribe(tenant, echo.url);
    await writePerson(tenant, "jo", other);
  }
  await subscribe(acme, broken.url);
  await postLead(acme, other, "jo-1");
  await writePerson(acme, "ada", { name, email });
  const first = await postLead(acme, { name, email: email.toUpperCase() }, "ada-1");
  await postLead(acme, { name, email }, `lead-${email}`);
  await logRequest();
  const { data: created } = (await first.json()) as Schemas["LeadResponse"];
  await write(
    acme,
    ...Array.from({ length: 400 }, (_, n): Item[] => [
      [
        "conversation",
        `ada/${n}`,
        { chatbot_external_id: "bot", lead_external_id: "ada", visitor: { name } },
      ],
      [
        "message",
        `ada/${n}/1`,
        { conversation_external_id: `ada/${n}`, role: "visitor", text: `I am ${name}` },
      ],
    ]).flat(),
  );

  const killed = startWorker();
  const delivered = () =>
    pool.query(
      "SELECT 1 FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id WHERE s.target_url = $1",
      [echo.url],
    );
  await vi.waitFor(async () => expect((await delivered()).rows).toEqual([]), patience);
  expect(await find()).toEqual([
    "api_requests.error_description",
    "api_requests.request_id",
    "conversations.visitor_email",
    "conversations.visitor_name",
    "delivery_attempts.response_body",
    "events.body",
    "idempotency_keys.key",
    "idempotency_keys.response",
    "leads.contact_email",
    "leads.contact_name",
    "leads.qualification",
    "leads.source",
    "meetings.attendees",
    "meetings.title",
    "message_feedback.comment",
    "messages.text",
    "tickets.requester_email",
    "tickets.requester_name",
    "tickets.subject",
    "tool_runs.error",
  ]);
  const before = await untouched();

  // Other people write at the same time, and so does the person for a while.
  let isWriting = true;
  let written = 0;
  let byPerson = 0;
  const writer = (async () => {
    for (; isWriting; written += 1) {
      await write(acme, [
        "lead",
        `new-${written}`,
        { chatbot_external_id: "bot", contact: { name: `Ben ${written}` } },
      ]);
      if (byPerson < 20) {
        byPerson += 1;
        const visitor = { visitor: { name, email } };
        await write(acme, ["conversation", `late-${byPerson}`, { chatbot_external_id: "bot", ...visitor }]);
      }
    }
  })();

  const call = asPlatform(api, acme.organizationId);
  const response = await call("POST", "/erasures", { email });
  expect(response.status).toBe(202);
  const { data: erasure } = (await response.json()) as Schemas["ErasureResponse"];
  const again = await call("POST", "/erasures", { email: email.toUpperCase() });
  expect(await again.json()).toMatchObject({ data: { id: erasure.id } });
  const read = async () =>
    ((await (await call("GET", `/erasures/${erasure.id}`)).json()) as Schemas["ErasureResponse"]).data;
  await vi.waitFor(async () => expect((await read()).report.conversations).toBeGreaterThan(40), {
    timeout: 60_000,
    interval: 2,
  });
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const interrupted = await read();
  expect([interrupted.status, interrupted.report.leads]).toEqual(["running", 0]);

  startWorker();
  await vi.waitFor(async () => expect((await read()).status).toBe("completed"), patience);
  isWriting = false;
  await writer;
  await sleep(1_000); // The API has written its request log.

  const { report } = await read();
  expect(report).toMatchObject({
    leads: 3,
    messages: 401,
    message_feedback: 1,
    tickets: 3,
    meetings: 1,
    tool_runs: 2,
    idempotency_keys: 2,
    api_requests: 1,
  });
  expect(report.conversations).toBe(402 + byPerson);
  expect(await find()).toEqual([]);
  expect(await untouched()).toEqual(before);
  expect(await findWrongCounts(api.db)).toEqual([]);
  expect(await api.db.lead.count({ where: { externalId: { startsWith: "new-" } } })).toBe(written);
  await vi.waitFor(async () => expect((await delivered()).rows).toEqual([]), patience);
  const received = echo.received.filter(({ body }) => body.includes('"Ben '));
  expect(received.length).toBeGreaterThanOrEqual(written);

  const repeated = await postLead(acme, { name, email: email.toUpperCase() }, "ada-1");
  expect([repeated.status, await repeated.json()]).toEqual([
    400,
    { error: "invalid_request", error_description: expect.stringContaining("was erased") },
  ]);
  expect((await as(api, acme)("GET", `/api/v1/leads/${created.id}`)).status).toBe(404);
  const audited = await api.db.auditEntry.findMany({
    where: { event: { startsWith: "erasure." } },
    orderBy: { id: "asc" },
    select: { event: true, details: true },
  });
  expect(audited).toEqual([
    { event: "erasure.requested", details: { erasure_id: erasure.id, by: "email" } },
    { event: "erasure.completed", details: { erasure_id: erasure.id, report } },
  ]);

  const { data: second } = (await (
    await call("POST", "/erasures", { email })
  ).json()) as Schemas["ErasureResponse"];
  expect(second.id).not.toBe(erasure.id);
  await vi.waitFor(async () => {
    const { data } = (await (
      await call("GET", `/erasures/${second.id}`)
    ).json()) as Schemas["ErasureResponse"];
    expect(data.status).toBe("completed");
    expect(new Set(Object.values(data.report))).toEqual(new Set([0]));
  }, patience);
});
