import { randomBytes } from "node:crypto";
import { description } from "@parley/contract";
import type { Database } from "@parley/database";
import { createSecretBox, ensureSigningKey, type SecretBox, sampleEvent } from "@parley/webhooks";
import { startApi, type TestApi } from "../../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../../src/testing/factories.ts";
import { chapterVariables, createApps, renewGrants } from "./apps.ts";

const { parameters } = description.components;
const ids = {
  organization: parameters.PathOrganizationId.example,
  chatbot: parameters.PathChatbotId.example,
  lead: parameters.PathLeadId.example,
  conversation: parameters.PathConversationId.example,
  ticket: parameters.PathTicketId.example,
  meeting: parameters.PathMeetingId.example,
  subscription: parameters.PathSubscriptionId.example,
  delivery: parameters.PathDeliveryId.example,
  redelivery: parameters.PathRedeliveryId.example,
  event: parameters.PathEventId.example,
  erasure: parameters.PathErasureId.example,
};

/** Server with the records, OAuth clients and tokens of the contract's examples and chapters. */
export interface ExampleServer extends TestApi {
  tenant: Tenant;
  /** Environment variables of samples. */
  variables: Record<string, string>;
  /** Restores the records that samples change. Call it before each sample. */
  renew(): Promise<void>;
  /** Returns a `fetch` for a sample. If it sends only GET requests, the next call of `renew` does nothing. */
  watched(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
}

export async function startExampleServer(): Promise<ExampleServer> {
  const key = randomBytes(32);
  const api = await startApi({ PARLEY_ENCRYPTION_KEY: key.toString("base64") });
  const secretBox = createSecretBox(key);
  const tenant = await createTenant(api.db, { organizationId: ids.organization });
  await createRecords(api.db);
  const { organizationId } = owned;
  await api.db.$transaction((tx) => ensureSigningKey({ tx, organizationId }, secretBox));
  await createApps(api.db);
  let mayBeChanged = true;
  async function renew() {
    if (!mayBeChanged) return;
    await renewConversation(api.db);
    await renewDeleted(api.db);
    await renewErasure(api.db);
    await renewSubscription(api.db, secretBox);
    await renewGrants(api.db, tenant);
  }
  function watched(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    mayBeChanged = false;
    return (input, init) => {
      const method = input instanceof Request ? input.method : init?.method;
      mayBeChanged ||= (method ?? "GET") !== "GET";
      return fetch(input, init);
    };
  }
  const variables = {
    ...chapterVariables,
    ACCESS_TOKEN: tenant.token,
    ORGANIZATION: ids.organization,
    PLATFORM_KEY: api.platformKey,
    PARLEY_URL: api.url,
    PARLEY_TOKEN: tenant.token,
    PARLEY_PLATFORM_KEY: api.platformKey,
  };
  return { ...api, tenant, variables, renew, watched };
}

const owned = { organizationId: ids.organization };
const times = { startsAt: new Date(), endsAt: new Date(), timezone: "Europe/Vienna" };
const talk = "chat-20260301-17";

async function createRecords(db: Database): Promise<void> {
  const bot = { id: ids.chatbot, externalId: "sales-bot", name: "Sales assistant", model: "parley-large" };
  await db.chatbot.create({ data: { ...owned, ...bot } });
  await db.meeting.create({ data: { ...owned, id: ids.meeting, title: "Product demo", ...times } });
}

/** Creates the records that samples delete by ID or external ID. */
async function renewDeleted(db: Database): Promise<void> {
  const ofBot = { ...owned, chatbotId: ids.chatbot };
  const ticket = { ...owned, subject: "Invoice" };
  const byId = { id: ids.lead };
  await db.lead.upsert({ where: byId, create: { ...ofBot, ...byId }, update: {} });
  await db.ticket.upsert({ where: { id: ids.ticket }, create: { ...ticket, id: ids.ticket }, update: {} });
  const external = { externalId: parameters.PathExternalId.example };
  const where = { organizationId_externalId: { ...owned, ...external } };
  await db.lead.upsert({ where, create: { ...ofBot, ...external }, update: {} });
  await db.conversation.upsert({ where, create: { ...ofBot, ...external }, update: {} });
  await db.ticket.upsert({ where, create: { ...ticket, ...external }, update: {} });
  await db.meeting.upsert({ where, create: { ...owned, ...external, title: "Demo", ...times }, update: {} });
}

async function renewConversation(db: Database): Promise<void> {
  await db.toolRun.deleteMany({ where: { conversationId: ids.conversation } }); // Deleting the conversation would keep it.
  await db.conversation.deleteMany({ where: { id: ids.conversation } });
  const message = {
    ...owned,
    externalId: `${talk}/2`,
    role: "chatbot",
    text: "Here.",
  };
  await db.conversation.create({
    data: {
      ...owned,
      id: ids.conversation,
      externalId: talk,
      chatbotId: ids.chatbot,
      messages: { create: message },
    },
  });
}

/** Creates the only erasure, so that no earlier one has the same subject. */
async function renewErasure(db: Database): Promise<void> {
  await db.erasure.deleteMany({ where: owned });
  await db.erasure.create({
    data: { ...owned, id: ids.erasure, subjectType: "external_id", subject: "crm-1" },
  });
}

/** Creates a subscription whose receiver refuses connections, so that a test returns immediately. One delivery is exhausted. */
async function renewSubscription(db: Database, secretBox: SecretBox): Promise<void> {
  await db.subscription.deleteMany({ where: owned });
  await db.deliveryAttempt.deleteMany({ where: owned });
  await db.event.deleteMany({ where: owned });
  const eventType = "lead.created" as const;
  await db.subscription.create({
    data: {
      ...owned,
      id: ids.subscription,
      targetUrl: "http://127.0.0.1:9/",
      eventTypes: [eventType],
      secret: secretBox.encrypt("parley_ws_example", ids.organization),
      queue: { create: {} },
    },
  });
  const now = new Date();
  const event = { ...owned, type: eventType, body: JSON.stringify(sampleEvent(eventType)), createdAt: now };
  const { id: eventId } = await db.event.create({ data: { ...event, id: ids.event } });
  await db.deliveryAttempt.create({
    data: {
      ...owned,
      deliveryId: ids.delivery,
      subscriptionId: ids.subscription,
      eventId,
      eventType,
      attempt: 5,
      attemptedAt: now,
      outcome: "exhausted",
      durationMs: 7,
    },
  });
  const range = { status: "exhausted", since: now, until: now, searchedAt: now, searchedId: ids.delivery };
  await db.redelivery.create({
    data: { ...owned, ...range, id: ids.redelivery, subscriptionId: ids.subscription },
  });
}
