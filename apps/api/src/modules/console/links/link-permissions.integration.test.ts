import type { Schemas } from "@parley/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { as, asPlatform } from "../../../testing/api-server.ts";
import { writeHistory } from "../../../testing/delivery-history.ts";
import { issueToken } from "../../../testing/factories.ts";
import { TestBrowser } from "../../oauth/testing/browser.ts";
import { backfill } from "../testing/backfill.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor, type Visitor, visitorOf } from "../testing/visitor.ts";
import { createWebhook, secretIn } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

/** Opens a link of the platform to the visitor's organization in a new browser. */
async function openLink(
  { organizationId, userId, email }: Visitor,
  role: "admin" | "member",
): Promise<Visitor> {
  const link = { role, name: "Ada <Novak>", external_id: "user-4711" };
  const created = await asPlatform(fixture, organizationId)("POST", "/console-links", link);
  const { data } = (await created.json()) as { data: Schemas["ConsoleLink"] };
  const browser = new TestBrowser(fixture.fetch);
  expect((await browser.get(data.url)).status).toBe(303);
  const person = { organizationId, userId, email };
  const call = as(fixture, await issueToken(fixture.db, person));
  return { ...person, call, ...visitorOf(fixture, browser, call) };
}

test("the link of a member shows webhooks, deliveries and events, and changes nothing", async () => {
  const owner = await startVisitor(fixture);
  const { id, path } = await createWebhook(owner);
  const ids = { organizationId: owner.organizationId, subscriptionId: id };
  const [delivery] = await writeHistory(fixture.db, ids, [
    { status: "exhausted", at: new Date(Date.now() - 60_000) },
  ]);
  const member = await openLink(owner, "member");
  const deliveryPath = `${path}/deliveries/${delivery?.id}`;
  const pages = ["/console", "/console/webhooks", path, "/console/deliveries", deliveryPath];
  for (const page of [
    ...pages,
    `/console/events/${delivery?.eventId}`,
    "/console/requests",
    "/console/usage",
  ]) {
    const { html } = await member.open(page);
    const buttons = [...html.matchAll(/name="action" value="(\w+)"/g)].map(([, action]) => action);
    expect([page, buttons]).toEqual([page, ["sign_out"]]);
  }
  for (const page of [
    "/console/webhooks/new",
    `${path}/edit`,
    `${path}?confirm=test`,
    "/console/audit-log",
  ]) {
    await member.open(page, 403);
  }
  const before = await fixture.db.subscription.findUniqueOrThrow({ where: { id } });
  const fields = { target_url: "https://other.example.com/", types: "all" };
  const forms: [string, Record<string, string>][] = [
    ["/console/webhooks/new", { action: "save", ...fields }],
    [`${path}/edit`, { action: "save", ...fields }],
    ...["test", "resume", "rotate_secret", "delete"].map((action): [string, Record<string, string>] => [
      path,
      { action },
    ]),
    [`${path}/redelivery`, { action: "redeliver" }],
    [deliveryPath, { action: "redeliver" }],
  ];
  for (const [to, form] of forms) {
    expect([to, form["action"], (await member.post(to, form)).status]).toEqual([to, form["action"], 403]);
  }
  expect(await fixture.db.subscription.findMany({ where: { organizationId: owner.organizationId } })).toEqual(
    [before],
  );
  expect(await fixture.db.delivery.count({ where: { subscriptionId: id } })).toBe(0);
});

test("the link of an admin creates, changes, redelivers and deletes", async () => {
  const admin = await openLink(await startVisitor(fixture), "admin");
  const { id, path } = await createWebhook(admin);
  const edit = await admin.open(`${path}/edit`);
  expect((await admin.submit(edit, "save", { rate_limit: "5" })).details("Rate limit")).toBe(
    "5 deliveries per second",
  );
  const rotate = await admin.open(`${path}?confirm=rotate_secret`);
  expect(secretIn(await admin.submit(rotate, "rotate_secret"))).toBeDefined();
  await writeHistory(fixture.db, { organizationId: admin.organizationId, subscriptionId: id }, [
    { status: "exhausted", at: new Date(Date.now() - 60_000) },
  ]);
  await admin.submit(await admin.open(`${path}/redelivery`), "redeliver");
  await backfill(fixture.db);
  expect(await fixture.db.delivery.count({ where: { subscriptionId: id } })).toBe(1);
  await admin.open("/console/audit-log");
  await admin.submit(await admin.open(`${path}?confirm=delete`), "delete");
  expect(await fixture.db.subscription.count({ where: { id } })).toBe(0);
});

test("the audit log names the person of the link", async () => {
  const owner = await startVisitor(fixture);
  const admin = await openLink(owner, "admin");
  const fields = { name: "Lead export", redirect_uris: "https://app.example.com/" };
  await admin.submit(await admin.open("/console/clients"), "create", fields);
  const [created] = (await owner.open("/console/audit-log")).rows("Audit log, newest first");
  expect(created?.[1]).toBe("App registered client.created");
  expect(created?.join(" ")).toContain("Ada <Novak>");
});
