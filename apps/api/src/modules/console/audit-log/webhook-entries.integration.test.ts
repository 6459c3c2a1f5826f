import type { Schemas } from "@parley/contract";
import { type Receiver, startReceiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { as, asPlatform } from "../../../testing/api-server.ts";
import { writeHistory } from "../../../testing/delivery-history.ts";
import { issueToken } from "../../../testing/factories.ts";
import { TestBrowser } from "../../oauth/testing/browser.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor, type Visitor, visitorOf } from "../testing/visitor.ts";
import { createWebhook } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
let receiver: Receiver;
beforeAll(async () => {
  [fixture, receiver] = await Promise.all([startConsole(), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

/** Changes a webhook in every way that the console has, and returns its ID. */
async function changeWebhook(visitor: Visitor): Promise<string> {
  const { id, path } = await createWebhook(visitor, `${receiver.url}hunter2?token=hunter2`);
  const form = await visitor.open(`${path}/edit`);
  await visitor.submit(form, "save", { rate_limit: "5" });
  await visitor.submit(await visitor.open(`${path}?confirm=rotate_secret`), "rotate_secret");
  const ids = { organizationId: visitor.organizationId, subscriptionId: id };
  const at = new Date(Date.now() - 60_000);
  const [delivery] = await writeHistory(fixture.db, ids, [
    { status: "exhausted", at },
    { status: "exhausted", at },
  ]);
  await visitor.submit(await visitor.open(`${path}/deliveries/${delivery?.id}`), "redeliver");
  await visitor.submit(await visitor.open(`${path}/redelivery`), "redeliver");
  await fixture.db.subscription.update({
    where: { id },
    data: { status: "failed", failureCount: 5, failedAt: at },
  });
  await visitor.submit(await visitor.open(`${path}?confirm=resume`), "resume", { fill_gap: null });
  await visitor.submit(await visitor.open(`${path}?confirm=delete`), "delete");
  return id;
}

const texts = [
  "Webhook deleted",
  "Webhook resumed",
  "Deliveries sent again",
  "Deliveries sent again",
  "Secret of a webhook rotated",
  "Webhook changed",
  "Webhook created",
];

const rowsOf = async (visitor: Visitor) =>
  (await visitor.open("/console/audit-log")).rows("Audit log, newest first").slice(0, texts.length);

test("shows the changes of a webhook with the user, and without credentials", async () => {
  const visitor = await startVisitor(fixture);
  const id = await changeWebhook(visitor);
  const rows = await rowsOf(visitor);
  expect(rows.map(([, entry = ""]) => entry.replace(/ \S+$/, ""))).toEqual(texts);
  for (const [, , user, , address, details] of rows) {
    expect([user, address]).toEqual([`Uma <User> ${visitor.email}`, "127.0.0.1"]);
    expect(details).toContain(`webhook_id ${id}`);
    expect(details).toContain(`host ${new URL(receiver.url).host}`);
  }
  const [, , range, single, , changed] = rows;
  expect(range?.at(-1)).toContain("redelivery_id");
  expect(single?.at(-1)).toContain("delivery_id");
  expect(changed?.at(-1)).toContain('fields ["rate_limit"]');
  expect(JSON.stringify(rows)).not.toContain("hunter2");
});

test("shows the changes of a webhook with the person of a console link", async () => {
  const { organizationId, userId, email } = await fixture.person("admin");
  const link = { role: "admin", name: "Ada <Novak>", external_id: "user-4711" };
  const created = await asPlatform(fixture, organizationId)("POST", "/console-links", link);
  const { data } = (await created.json()) as { data: Schemas["ConsoleLink"] };
  const browser = new TestBrowser(fixture.fetch);
  await browser.get(data.url);
  const person = { organizationId, userId, email };
  const call = as(fixture, await issueToken(fixture.db, person));
  const visitor = { ...person, call, ...visitorOf(fixture, browser, call) };
  await changeWebhook(visitor);
  const rows = await rowsOf(visitor);
  expect(rows.map(([, , user]) => user)).toEqual(texts.map(() => "Ada <Novak> user-4711"));
});
