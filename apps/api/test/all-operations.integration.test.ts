import { randomUUID } from "node:crypto";
import {
  type Operation,
  type OperationId,
  operationTable,
  type Scope,
  scopeMeanings,
} from "@parley/contract";
import { beforeAll, expect, test } from "vitest";
import type { ItemType } from "../src/modules/platform/items.ts";
import { as, asPlatform, useApi } from "../src/testing/api-server.ts";
import { createTenant, issueToken, type Tenant } from "../src/testing/factories.ts";
import { createPlatform, recordPath, sampleItem, samples } from "../src/testing/platform.ts";

const api = useApi();
let tenant: Tenant;

beforeAll(async () => {
  ({ tenant } = await createPlatform(api));
});

/** A successful request for each operation. A new operation does not compile until it has one. */
type Call = (id: () => Promise<string>) => Promise<Response>;
const newLead = () => ({ chatbot_id: tenant.chatbotId, contact: { name: "Ada Novak" } });
const newConversation = () => ({ chatbot_id: tenant.chatbotId });
const newMessage = { role: "visitor", text: "Hello" };
const newTicket = { subject: "Cannot sign in" };
const range = { since: "2026-03-01T00:00:00Z" };
const newSubscription = { target_url: "https://hooks.example.com/parley", event_types: ["lead.created"] };

function platform(method: string, path: string, body: object): Exercise {
  return { call: () => asPlatform(api, tenant.organizationId)(method, path, body), body };
}
const upsert = (type: ItemType) => platform("PUT", recordPath(type, "sample"), samples[type]);

/** Returns a request that deletes a record after it was written. */
function remove(type: ItemType): Exercise {
  const path = recordPath(type, "removed");
  return {
    async call() {
      const send = asPlatform(api, tenant.organizationId);
      await send("PUT", path, samples[type]);
      return send("DELETE", path);
    },
  };
}

function call(method: string, path: string, body?: () => unknown): Call {
  return async (id) => {
    const filled = path.includes("{id}") ? fill(path, await id()) : path;
    return as(api, tenant)(method, filled, body?.());
  };
}

/** @param ids that of the record, and of a delivery or redelivery where the path has one, with a space between */
function fill(path: string, ids: string): string {
  const [id = "", deliveryId = id] = ids.split(" ");
  return path.replace("{id}", id).replace(/\{(delivery|redelivery)_id\}/, deliveryId);
}

const form = (path: string, fields: Record<string, string>): Call => {
  return () => api.fetch(`${api.url}${path}`, { method: "POST", body: new URLSearchParams(fields) });
};

interface Exercise {
  call: Call;
  /** Creates a record for the request. */
  id?: () => Promise<string>;
  /** Body that a caller of another organization sends. */
  body?: object | null;
  /** Expected status, if it is not the success of the contract. */
  status?: number;
}

/** Returns a form without its session, which is rejected. The tests of the console submit complete forms. */
function refusedForm(path: string, action: string): Exercise {
  return { call: form(path, { csrf_token: "x", action }), status: 400 };
}

const calls: Record<OperationId, Exercise> = {
  listChatbots: { call: call("GET", "/api/v1/chatbots") },
  listLeads: { call: call("GET", "/api/v1/leads") },
  createLead: { call: call("POST", "/api/v1/leads", newLead) },
  getLead: { call: call("GET", "/api/v1/leads/{id}"), id: leadId },
  updateLead: {
    call: call("PATCH", "/api/v1/leads/{id}", () => ({ score: 10 })),
    id: leadId,
    body: { score: 99 },
  },
  deleteLead: { call: call("DELETE", "/api/v1/leads/{id}"), id: leadId },
  getChatbot: { call: call("GET", "/api/v1/chatbots/{id}"), id: async () => tenant.chatbotId },
  listConversations: { call: call("GET", "/api/v1/conversations") },
  startConversation: { call: call("POST", "/api/v1/conversations", newConversation) },
  getConversation: { call: call("GET", "/api/v1/conversations/{id}"), id: conversationId },
  listMessages: { call: call("GET", "/api/v1/conversations/{id}/messages"), id: conversationId },
  addMessage: {
    call: call("POST", "/api/v1/conversations/{id}/messages", () => newMessage),
    id: conversationId,
    body: newMessage,
  },
  endConversation: { call: call("POST", "/api/v1/conversations/{id}/end"), id: conversationId, body: null },
  deleteConversation: { call: call("DELETE", "/api/v1/conversations/{id}"), id: conversationId },
  listTickets: { call: call("GET", "/api/v1/tickets") },
  createTicket: { call: call("POST", "/api/v1/tickets", () => newTicket) },
  getTicket: { call: call("GET", "/api/v1/tickets/{id}"), id: ticketId },
  updateTicket: {
    call: call("PATCH", "/api/v1/tickets/{id}", () => ({ status: "resolved" })),
    id: ticketId,
    body: { status: "closed" },
  },
  deleteTicket: { call: call("DELETE", "/api/v1/tickets/{id}"), id: ticketId },
  listMeetings: { call: call("GET", "/api/v1/meetings") },
  getMeeting: { call: call("GET", "/api/v1/meetings/{id}"), id: meetingId },
  createWebhookSubscription: { call: call("POST", "/api/v1/webhooks/subscribe", () => newSubscription) },
  listWebhookSubscriptions: { call: call("GET", "/api/v1/webhooks") },
  getWebhookSubscription: { call: call("GET", "/api/v1/webhooks/{id}"), id: subscriptionId },
  deleteWebhookSubscription: { call: call("DELETE", "/api/v1/webhooks/{id}"), id: subscriptionId },
  updateWebhookSubscription: {
    call: call("PATCH", "/api/v1/webhooks/{id}", () => ({ event_types: ["lead.updated"] })),
    id: subscriptionId,
    body: { event_types: ["lead.updated"] },
  },
  resumeWebhookSubscription: {
    call: call("POST", "/api/v1/webhooks/{id}/resume"),
    id: subscriptionId,
    body: null,
  },
  testWebhookSubscription: {
    call: call("POST", "/api/v1/webhooks/{id}/test"),
    id: closedSubscriptionId,
    body: null,
  },
  rotateWebhookSecret: {
    call: call("POST", "/api/v1/webhooks/{id}/rotate-secret"),
    id: subscriptionId,
    body: null,
  },
  rotateWebhookSigningKey: {
    call: async () => {
      await keyedSubscriptionId();
      return as(api, tenant)("POST", "/api/v1/webhooks/signing-keys/rotate");
    },
    body: null,
  },
  getWebhookPublicKeys: {
    call: async () => {
      await keyedSubscriptionId();
      return api.fetch(`${api.url}/.well-known/parley/${tenant.organizationId}/webhook-keys.json`);
    },
  },
  getWebhookSourceAddresses: { call: call("GET", "/api/v1/webhooks/source-addresses") },
  listWebhookDeliveries: { call: call("GET", "/api/v1/webhooks/{id}/deliveries"), id: subscriptionId },
  getWebhookDelivery: {
    call: call("GET", "/api/v1/webhooks/{id}/deliveries/{delivery_id}"),
    id: deliveryIds,
  },
  redeliverWebhookDelivery: {
    call: call("POST", "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver"),
    id: deliveryIds,
    body: null,
  },
  redeliverWebhookDeliveries: {
    call: call("POST", "/api/v1/webhooks/{id}/redeliver", () => range),
    id: subscriptionId,
    body: range,
  },
  getWebhookRedelivery: {
    call: call("GET", "/api/v1/webhooks/{id}/redeliveries/{redelivery_id}"),
    id: redeliveryIds,
  },
  listEvents: { call: call("GET", "/api/v1/events") },
  getEvent: { call: call("GET", "/api/v1/events/{id}"), id: eventId },
  listEventSamples: { call: call("GET", "/api/v1/events/samples") },
  getMe: { call: call("GET", "/api/v1/me") },
  // Successful calls need a browser session or a client: apps/api/src/modules/oauth tests them.
  authorize: { call: call("GET", "/api/oauth/authorize"), status: 400 },
  submitAuthorization: {
    call: form("/api/oauth/authorize", { csrf_token: "x", action: "deny" }),
    status: 400,
  },
  openConsoleLink: { call: call("GET", "/console/link?token=used"), status: 410 },
  submitConsoleSession: refusedForm("/console/session", "sign_out"),
  showOverview: { call: call("GET", "/console") },
  showWebhooks: { call: call("GET", "/console/webhooks") },
  showNewWebhook: { call: call("GET", "/console/webhooks/new") },
  submitNewWebhook: refusedForm("/console/webhooks/new", "save"),
  showWebhook: { call: call("GET", "/console/webhooks/some") },
  submitWebhook: refusedForm("/console/webhooks/some", "delete"),
  showWebhookForm: { call: call("GET", "/console/webhooks/some/edit") },
  submitWebhookForm: refusedForm("/console/webhooks/some/edit", "save"),
  showRedelivery: { call: call("GET", "/console/webhooks/some/redelivery") },
  submitRedelivery: refusedForm("/console/webhooks/some/redelivery", "redeliver"),
  showDelivery: { call: call("GET", "/console/webhooks/some/deliveries/other") },
  submitDelivery: refusedForm("/console/webhooks/some/deliveries/other", "redeliver"),
  showDeliveries: { call: call("GET", "/console/deliveries") },
  showEvents: { call: call("GET", "/console/events") },
  showEvent: { call: call("GET", "/console/events/some") },
  showEventTypes: { call: call("GET", "/console/event-types") },
  showEventType: { call: call("GET", "/console/event-types/lead.created") },
  showApiRequests: { call: call("GET", "/console/requests") },
  showAuditLog: { call: call("GET", "/console/audit-log") },
  showUsage: { call: call("GET", "/console/usage") },
  showConnectedApps: { call: call("GET", "/console/apps") },
  submitConnectedApps: refusedForm("/console/apps", "revoke"),
  showClients: { call: call("GET", "/console/clients") },
  submitClients: refusedForm("/console/clients", "create"),
  showClient: { call: call("GET", "/console/clients/some") },
  submitClient: refusedForm("/console/clients/some", "delete"),
  exchangeToken: { call: form("/api/oauth/token", { grant_type: "password" }), status: 400 },
  revokeToken: {
    call: form("/api/oauth/revoke", { token: "x", client_id: "nobody", client_secret: "x" }),
    status: 401,
  },
  getAuthorizationServerMetadata: { call: call("GET", "/.well-known/oauth-authorization-server") },
  upsertChatbot: upsert("chatbot"),
  upsertLead: upsert("lead"),
  upsertConversation: upsert("conversation"),
  upsertMessage: upsert("message"),
  upsertTicket: upsert("ticket"),
  upsertMeeting: upsert("meeting"),
  upsertMessageFeedback: upsert("message_feedback"),
  upsertToolRun: upsert("tool_run"),
  upsertUsageRecord: upsert("usage_record"),
  deletePlatformLead: remove("lead"),
  deletePlatformConversation: remove("conversation"),
  deletePlatformTicket: remove("ticket"),
  deletePlatformMeeting: remove("meeting"),
  writeBatch: platform("POST", "/batch", { items: [sampleItem("lead", "sample", { score: 5 })] }),
  createConsoleLink: platform("POST", "/console-links", { role: "member" }),
  createErasure: platform("POST", "/erasures", { email: "ada@example.com" }),
  getErasure: {
    async call() {
      const send = asPlatform(api, tenant.organizationId);
      const created = await send("POST", "/erasures", { external_id: "crm-4711" });
      const { data } = (await created.json()) as { data: { id: string } };
      return send("GET", `/erasures/${data.id}`);
    },
  },
  checkLiveness: { call: call("GET", "/healthz") },
  checkReadiness: { call: call("GET", "/readyz") },
};

/** Creates a subscription whose receiver refuses connections, so that a test returns immediately. */
function closedSubscriptionId(): Promise<string> {
  const closed = { ...newSubscription, target_url: "http://127.0.0.1:9/" };
  return createdId("/api/v1/webhooks/subscribe", closed);
}
/** Creates a subscription with a pending delivery. Returns both IDs for `fill`. */
async function eventId(): Promise<string> {
  await leadId();
  return (await api.db.event.findFirstOrThrow({ where: { organizationId: tenant.organizationId } })).id;
}

async function redeliveryIds(): Promise<string> {
  const id = await subscriptionId();
  const response = await as(api, tenant)("POST", `/api/v1/webhooks/${id}/redeliver`, range);
  return `${id} ${((await response.json()) as { data: { id: string } }).data.id}`;
}

async function deliveryIds(): Promise<string> {
  const id = await subscriptionId();
  await leadId();
  const { id: deliveryId } = await api.db.delivery.findFirstOrThrow({ where: { subscriptionId: id } });
  return `${id} ${deliveryId}`;
}

async function createdId(path: string, body: unknown): Promise<string> {
  const response = await as(api, tenant)("POST", path, body);
  return ((await response.json()) as { data: { id: string } }).data.id;
}
function leadId(): Promise<string> {
  return createdId("/api/v1/leads", newLead());
}
function conversationId(): Promise<string> {
  return createdId("/api/v1/conversations", newConversation());
}
function ticketId(): Promise<string> {
  return createdId("/api/v1/tickets", newTicket);
}
async function meetingId(): Promise<string> {
  const { organizationId } = tenant;
  const times = { startsAt: new Date(), endsAt: new Date(), timezone: "Europe/Vienna" };
  return (await api.db.meeting.create({ data: { organizationId, title: "Demo", ...times } })).id;
}
/** Creates a subscription that signs with a key of the organization. */
function keyedSubscriptionId(): Promise<string> {
  return createdId("/api/v1/webhooks/subscribe", { ...newSubscription, public_key_signature: true });
}
function subscriptionId(): Promise<string> {
  return createdId("/api/v1/webhooks/subscribe", newSubscription);
}
const noId = () => Promise.resolve("");

const secured = operationTable.filter(({ scheme }) => scheme !== null);
const forTokens = operationTable.filter(({ scheme }) => scheme === "oauth2");
const forPlatform = operationTable.filter(({ scheme }) => scheme === "platformKey");
const scoped = secured.filter(({ scopes }) => scopes?.length);
const single = forTokens.filter(({ path }) => path.includes("{id}"));
/** Path of an unknown record, and a valid body. */
const target = ({ method, path }: Operation) => ({
  somewhere: path.replaceAll(/\{\w+\}/g, () => randomUUID()),
  body: ["POST", "PUT", "PATCH"].includes(method) ? { score: 1 } : undefined,
});

test.each(operationTable)(
  "$operationId responds as the contract describes",
  async ({ operationId, successStatus }) => {
    const { call: request, id = noId, status = successStatus } = calls[operationId];
    const response = await request(id);
    expect(response.status).toBe(status);
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test.each(secured)("$operationId authenticates the caller before anything else", async (operation) => {
  const { somewhere, body } = target(operation);
  const { method } = operation;
  const response = await api.fetch(`${api.url}${somewhere}?limit=nonsense`, {
    method,
    ...(body && { body: "{", headers: { "content-type": "application/json" } }),
  });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: "unauthorized" });

  const expired = await issueToken(api.db, tenant, undefined, new Date(Date.now() - 1));
  const other = operation.scheme === "oauth2" ? { token: api.platformKey } : tenant;
  for (const caller of [expired, other]) {
    const refused = await as(api, caller)(method, somewhere, body);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: "invalid_token" });
  }
});

test.each(forPlatform)(
  "$operationId rejects unknown organizations",
  async ({ operationId, method, path }) => {
    const { body } = calls[operationId];
    for (const unknown of [randomUUID(), "no-id-at-all"]) {
      const somewhere = path.replace("{organization_id}", unknown).replace("{external_id}", "somewhere");
      const response = await as(api, { token: api.platformKey })(method, somewhere, body);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        error_description: "No organization with this ID exists.",
      });
    }
  },
);

test.each(forTokens)("$operationId needs a paid plan", async (operation) => {
  const { somewhere, body } = target(operation);
  const free = await createTenant(api.db, { plan: "free" });
  const response = await as(api, free)(operation.method, somewhere, body);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: "plan_required" });
});

test.each(scoped)("$operationId needs its scope", async (operation) => {
  const { somewhere, body } = target(operation);
  const needed = operation.scopes ?? [];
  const others = (Object.keys(scopeMeanings) as Scope[]).filter((scope) => !needed.includes(scope));
  const narrow = await issueToken(api.db, tenant, others);
  const response = await as(api, narrow)(operation.method, somewhere, body);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    error: "insufficient_scope",
    error_description: `This request needs the scope ${needed.join(" ")}.`,
  });
});

test.each(single)(
  "$operationId has no access to another organization",
  async ({ operationId, method, path }) => {
    const { id: make, body } = calls[operationId];
    const foreign = (await make?.()) ?? "";
    expect(foreign).not.toBe("");
    const stranger = await createTenant(api.db);
    for (const unknown of [foreign, randomUUID(), "no-id-at-all"]) {
      const response = await as(api, stranger)(method, fill(path, unknown), body ?? undefined);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: "not_found" });
    }
  },
);

test("every operation of the contract was called", () => {
  const seen = [...api.fetch.exercised].map((line) => line.split(" ")[0]);
  expect(new Set(seen)).toEqual(new Set([...operationTable.map(({ operationId }) => operationId)]));
});
