/** Users see and change only what belongs to their organization: every page of the contract, with the IDs of another organization. */
import { pages } from "@parley/contract";
import { listApiRequests } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { positionText } from "../../http/cursor.ts";
import { writeHistory } from "../../testing/delivery-history.ts";
import { createChatbot } from "./testing/chatbot.ts";
import { type ConsoleFixture, startConsole } from "./testing/console.ts";
import type { Fields, HtmlPage } from "./testing/html-page.ts";
import { startVisitor, type Visitor } from "./testing/visitor.ts";
import { createWebhook } from "./testing/webhook.ts";

/** In every text of organization A. */
const marker = "zebrafish";

/** IDs of the records of organization A. */
interface Records {
  webhook: string;
  delivery: string;
  pending: string;
  event: string;
  record: string;
  chatbot: string;
  client: string;
  requestId: string;
  /** Cursors after the newest record of A, so that its older records follow. */
  cursor: string;
  userId: string;
}

let fixture: ConsoleFixture;
let a: Visitor;
let b: Visitor;
let records: Records;

const cursorNow = () =>
  positionText({
    time: new Date(Date.now() + 60_000).toISOString(),
    id: "ffffffff-ffff-7fff-bfff-ffffffffffff",
  });

beforeAll(async () => {
  fixture = await startConsole();
  [a, b] = [await startVisitor(fixture), await startVisitor(fixture)];
  const { organizationId, userId } = a;
  const { db } = fixture;
  await db.organization.update({ where: { id: organizationId }, data: { name: `Organization ${marker}` } });
  await db.user.update({ where: { id: userId }, data: { name: `User ${marker}` } });
  const { id: chatbot } = await createChatbot(db, organizationId, `Bot ${marker}`);
  const webhook = await createWebhook(a, `https://${marker}.example.com/hook`, { chatbot_id: chatbot });
  const record = crypto.randomUUID();
  const body = JSON.stringify({ note: marker });
  const ids = { organizationId, subscriptionId: webhook.id };
  const at = new Date(Date.now() - 60_000);
  const [delivered, exhausted, pending] = await writeHistory(db, ids, [
    { status: "delivered", at, body, recordId: record, version: 1 },
    { status: "exhausted", at, body, recordId: record, version: 1 },
    { status: "pending", at, body, recordId: record },
  ]);
  await db.deliveryAttempt.updateMany({ where: { organizationId }, data: { responseBody: marker } });
  // The overview shows only webhooks that need attention.
  await db.subscription.update({ where: { id: webhook.id }, data: { failureCount: 1 } });
  const client = await fixture.ownClient(a, `App ${marker}`);
  await fixture.connect(a, client.id, ["leads:read"]);
  const requestId = `request-${marker}`;
  await a.call("GET", "/api/v1/leads", undefined, { "x-request-id": requestId });
  await vi.waitUntil(
    async () => (await listApiRequests(db, { organizationId }, { limit: 9 })).rows.length === 1,
    { timeout: 30_000 },
  );
  await db.auditEntry.create({
    data: { organizationId, event: "client.updated", details: { name: marker } },
  });
  records = {
    webhook: webhook.id,
    delivery: exhausted?.id ?? "",
    pending: pending?.id ?? "",
    event: delivered?.eventId ?? "",
    record,
    chatbot,
    client: client.id,
    requestId,
    cursor: cursorNow(),
    userId,
  };
});
afterAll(() => fixture.close());

/** Address of a page, and whether it is the page of a record, so that others get 404. */
interface Visit {
  address: string;
  ofRecord?: boolean;
  /** Whether the page of A itself shows nothing of A. */
  isGeneral?: boolean;
}

const lists = (path: string, queries: Record<string, string>[]): Visit[] =>
  [{}, ...queries].map((query) => ({
    address: `${path}?${new URLSearchParams(query as Record<string, string>)}`,
  }));

/** Addresses with IDs of A, for each path with a page. */
const visits: Record<string, (ids: Records) => Visit[]> = {
  "/console": () => [{ address: "/console" }],
  "/console/webhooks": () => [{ address: "/console/webhooks" }],
  "/console/webhooks/new": () => [{ address: "/console/webhooks/new" }],
  "/console/webhooks/{id}": ({ webhook }) =>
    ["", "?confirm=test", "?confirm=delete"].map((query) => ({
      address: `/console/webhooks/${webhook}${query}`,
      ofRecord: true,
    })),
  "/console/webhooks/{id}/edit": ({ webhook }) => [
    { address: `/console/webhooks/${webhook}/edit`, ofRecord: true },
  ],
  "/console/webhooks/{id}/redelivery": ({ webhook, delivery, pending }) =>
    ["", `?created=3&first=${delivery}&last=${pending}`].map((query) => ({
      address: `/console/webhooks/${webhook}/redelivery${query}`,
      ofRecord: true,
    })),
  "/console/webhooks/{id}/deliveries/{delivery_id}": ({ webhook, delivery, pending }) =>
    [delivery, pending].map((id) => ({
      address: `/console/webhooks/${webhook}/deliveries/${id}`,
      ofRecord: true,
    })),
  "/console/deliveries": ({ webhook, event, record, cursor }) =>
    lists("/console/deliveries", [
      { subscription_id: webhook },
      { record },
      { record: event },
      { cursor },
      { subscription_id: webhook, cursor, status: "exhausted" },
    ]),
  "/console/events": ({ event, record, cursor }) =>
    lists("/console/events", [{ record }, { record: event }, { cursor }]).map((visit) => ({
      ...visit,
      isGeneral: true, // Only IDs and types.
    })),
  "/console/events/{id}": ({ event }) => [{ address: `/console/events/${event}`, ofRecord: true }],
  "/console/event-types": () => [{ address: "/console/event-types", isGeneral: true }],
  "/console/event-types/{type}": () => [{ address: "/console/event-types/lead.created" }],
  "/console/requests": ({ requestId, client, cursor }) =>
    lists("/console/requests", [{ cursor }]).concat(
      lists("/console/requests", [{ request_id: requestId }, { client_id: client }]).map((visit) => ({
        ...visit,
        isGeneral: true, // The filter shows what it searches for.
      })),
    ),
  "/console/apps": () => [{ address: "/console/apps" }],
  "/console/clients": () => [{ address: "/console/clients" }],
  "/console/clients/{client_id}": ({ client }) =>
    ["", "?confirm=delete"].map((query) => ({
      address: `/console/clients/${client}${query}`,
      ofRecord: true,
    })),
  "/console/audit-log": ({ cursor }) =>
    lists("/console/audit-log", [{ event: "client.updated" }, { cursor }]),
  "/console/usage": () => [{ address: "/console/usage" }],
  // The token is the permission: who has it becomes the person of the link.
  "/console/link": () => [],
};

/** Forms with IDs of A, for each path with a form, and the status of the response to a user of B. */
const forms: Record<string, (ids: Records) => [path: string, fields: Fields, status: number][]> = {
  // An app may ask the users of any organization for access, and the form gives access only to the records of its user.
  "/api/oauth/authorize": () => [],
  "/console/session": () => [["/console/session", { action: "sign_out" }, 303]],
  "/console/webhooks/new": ({ chatbot }) => [
    [
      "/console/webhooks/new",
      { action: "save", target_url: "https://b.example.com/", types: "all", chatbot_id: chatbot },
      303,
    ],
  ],
  "/console/webhooks/{id}": ({ webhook }) =>
    ["test", "resume", "rotate_secret", "delete"].map((action) => [
      `/console/webhooks/${webhook}`,
      { action, fill_gap: "true", immediately: "true" },
      404,
    ]),
  "/console/webhooks/{id}/edit": ({ webhook }) =>
    ["save", "check"].map((action) => [
      `/console/webhooks/${webhook}/edit`,
      { action, target_url: "https://b.example.com/", types: "all" },
      404,
    ]),
  "/console/webhooks/{id}/redelivery": ({ webhook }) =>
    ["exhausted", "delivered"].map((status) => [
      `/console/webhooks/${webhook}/redelivery`,
      { action: "redeliver", status, since: "2020-01-01T00:00" },
      404,
    ]),
  "/console/webhooks/{id}/deliveries/{delivery_id}": ({ webhook, delivery, pending }) =>
    [delivery, pending].map((id) => [
      `/console/webhooks/${webhook}/deliveries/${id}`,
      { action: "redeliver" },
      404,
    ]),
  "/console/apps": ({ client }) => [["/console/apps", { action: "revoke", client_id: client }, 303]],
  "/console/clients": ({ client }) => [
    [
      "/console/clients",
      { action: "create", name: "App of B", redirect_uris: "https://b.example.com/", client_id: client },
      303,
    ],
  ],
  "/console/clients/{client_id}": ({ client }) =>
    ["update", "rotate_secret", "remove_old_secret", "delete"].map((action) => [
      `/console/clients/${client}`,
      { action, name: "Taken", redirect_uris: "https://b.example.com/" },
      404,
    ]),
};

const paths = Object.entries(pages.paths as Record<string, object>);
const pathsWith = (method: "get" | "post") =>
  paths.filter(([, item]) => method in item).map(([path]) => path);

test("every page and every form of the contract is in the tables", () => {
  expect(Object.keys(visits).toSorted()).toEqual(pathsWith("get").toSorted());
  expect(Object.keys(forms).toSorted()).toEqual(pathsWith("post").toSorted());
});

/** Returns what a page shows below the header, which has the names of the user and of the organization. */
function contentOf({ html }: HtmlPage): string {
  return html.slice(html.indexOf("<main"));
}

describe.each(pathsWith("get"))("%s", (path) => {
  test("shows a user of another organization nothing", async () => {
    for (const { address, ofRecord = false, isGeneral = false } of visits[path]?.(records) ?? []) {
      const own = contentOf(await a.open(address));
      expect([address, isGeneral || own.includes(marker)]).toEqual([address, true]);

      const { html } = await b.open(address, ofRecord ? 404 : 200);
      // The field of the filter shows what it searches for.
      const found = html.replaceAll(`value="${records.requestId}"`, "");
      expect([address, found.includes(marker)]).toEqual([address, false]);
      expect(found).not.toMatch(/href="\/console\/(events|webhooks|clients)\/(?!new)/);
    }
  });
});

test("a record of another organization looks like one that does not exist", async () => {
  const withoutIds = (text: string) => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");
  for (const visit of Object.values(visits).flatMap((of) => of(records))) {
    if (!visit.ofRecord) continue;
    const unknown = visit.address.replaceAll(
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|own-\d+/g,
      "01928c60-3b1a-7f42-8c55-2f0d6a9b7e11",
    );
    const [theirs, none] = [await b.open(visit.address, 404), await b.open(unknown, 404)];
    expect(withoutIds(theirs.html)).toBe(withoutIds(none.html));
  }
});

/** Returns everything of organization A that forms may change. */
async function everythingOf({ organizationId, userId }: Visitor) {
  const where = { organizationId };
  const { db } = fixture;
  const orderBy = { id: "asc" } as const;
  return {
    subscriptions: await db.subscription.findMany({ where, orderBy }),
    queues: await db.subscriptionQueue.findMany({ where: { subscription: where } }),
    versions: await db.subscriptionVersion.findMany({ where, orderBy }),
    deliveries: await db.delivery.findMany({ where, orderBy }),
    attempts: await db.deliveryAttempt.count({ where }),
    events: await db.event.findMany({ where, orderBy }),
    clients: await db.oAuthClient.findMany({ where, include: { secrets: true }, orderBy }),
    grants: await db.oAuthGrant.findMany({ where, include: { tokens: true }, orderBy }),
    sessions: await db.userSession.findMany({ where: { userId } }),
    user: await db.user.findUnique({ where: { id: userId } }),
    audit: await db.auditEntry.count({ where }),
    chatbots: await db.chatbot.findMany({ where, orderBy }),
  };
}

describe.each(pathsWith("post"))("%s", (path) => {
  test("a form of another organization's user changes nothing", async () => {
    const before = await everythingOf(a);
    for (const [address, fields, status] of forms[path]?.(records) ?? []) {
      const visitor = path === "/console/session" ? await startVisitor(fixture) : b;
      const response = await visitor.post(address, fields);
      expect([address, fields["action"], response.status]).toEqual([address, fields["action"], status]);
      expect(await response.text()).not.toContain(marker);
    }
    expect(await everythingOf(a)).toEqual(before);
    expect((await a.open("/console")).html).not.toContain('type="password"');
    expect((await b.open("/console/webhooks")).html).not.toContain(marker);
  });
});
