import type { Schemas } from "@parley/contract";
import { createSkippedEvents, type Receiver, startReceiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeHistory } from "../../../testing/delivery-history.ts";
import { backfill } from "../testing/backfill.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { createWebhook as createWebhookTo, secretIn } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
let receiver: Receiver;
beforeAll(async () => {
  [fixture, receiver] = await Promise.all([startConsole(), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

const hourAgo = () => new Date(Date.now() - 3_600_000);

/** Creates a webhook to the receiver with the form. */
const createWebhook = (
  visitor: Visitor,
  { target_url = receiver.url, ...fields }: Record<string, string> = {},
) => createWebhookTo(visitor, target_url, fields);

const confirm = async (
  visitor: Visitor,
  path: string,
  action: string,
  changes: Record<string, string | null> = {},
) => visitor.submit(await visitor.open(`${path}?confirm=${action}`), action, changes);

const subscription = (visitor: Visitor, id: string) =>
  visitor.read<Schemas["Subscription"]>(`/api/v1/webhooks/${id}`);

/** Lets a webhook fail at a time, as workers do after the fifth failure. */
const fail = (id: string, at: Date) =>
  fixture.db.subscription.update({
    where: { id },
    data: {
      status: "failed",
      failureCount: 5,
      failureReason: "receiver responded with 503",
      failedAt: at,
      gapFrom: at,
    },
  });

describe("test events", () => {
  test("lead to the page of the delivery, with the request that the receiver got", async () => {
    const visitor = await startVisitor(fixture);
    const { path } = await createWebhook(visitor);
    receiver.received.length = 0;
    const page = await confirm(visitor, path, "test", { event_type: "ticket.created" });
    expect(page.address).toMatch(new RegExp(`^${path}/deliveries/[0-9a-f-]{36}$`));
    expect(page.role("status")).toMatch(/^The test event was sent\. Response: 200 after \d+ ms\.$/);
    expect(page.details("Status")).toBe("Delivered Test");
    expect(page.details("Event type")).toBe("ticket.created");
    expect(page.html).not.toContain('value="redeliver"');
    const [received] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    const shown = Object.fromEntries(page.rows("Request headers of attempt 1"));
    for (const name of ["x-parley-signature", "x-parley-timestamp", "x-parley-event", "webhook-signature"]) {
      expect([name, shown[name]]).toEqual([name, received?.headers[name]]);
    }
    expect(page.code).toContain(received?.body);
  });

  test("are shown with the failure of the receiver, and change nothing else", async () => {
    const visitor = await startVisitor(fixture);
    const failing = await startReceiver((response) => response.writeHead(503).end("<b>down</b>"));
    const { id, path } = await createWebhook(visitor, { target_url: failing.url });
    const before = await subscription(visitor, id);
    const page = await confirm(visitor, path, "test");
    expect(page.role("status")).toMatch(/^The test event was sent\. Response: 503 after/);
    expect(page.details("Status")).toBe("Exhausted Test");
    expect(page.text).toContain("<b>down</b>");
    expect(page.html).not.toContain("<b>down</b>");
    expect(await subscription(visitor, id)).toEqual(before);
    expect((await visitor.open(path)).text).toContain("Exhausted Test lead.created 1 503");
    await failing.close();
    const refused = await confirm(visitor, path, "test");
    expect(refused.role("status")).toContain("Response: connect: the connection was refused.");
  });

  test("are sent to a failed webhook, which stays failed", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path } = await createWebhook(visitor);
    await fail(id, hourAgo());
    const page = await confirm(visitor, path, "test");
    expect(page.role("status")).toContain("Response: 200");
    expect((await subscription(visitor, id)).status).toBe("failed");
  });
});

describe("resuming", () => {
  /** Creates a webhook that failed an hour ago, and two events since then that it did not receive. */
  async function failedWebhook(visitor: Visitor, fields: Record<string, string> = {}) {
    const webhook = await createWebhook(visitor, fields);
    const since = hourAgo();
    await fail(webhook.id, since);
    await createSkippedEvents(fixture.db, webhook.id, 2);
    return webhook;
  }
  const pendingOf = (subscriptionId: string) => fixture.db.delivery.count({ where: { subscriptionId } });

  test("explains what happens, and how many deliveries are pending", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path } = await failedWebhook(visitor);
    const ids = { organizationId: visitor.organizationId, subscriptionId: id };
    await writeHistory(fixture.db, ids, [{ status: "pending", at: hourAgo() }]);
    const { text } = await visitor.open(`${path}?confirm=resume`);
    expect(text).toContain("The webhook becomes active, and new events are sent again.");
    expect(text).toContain("1 pending delivery will be sent first.");
    expect(text).toMatch(/2 events have happened since \d+ \w+ \d{4} at \d\d:\d\d UTC and were not sent\./);
  });

  test("without the gap, creates no deliveries", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path } = await failedWebhook(visitor);
    const page = await confirm(visitor, path, "resume", { fill_gap: null });
    expect([page.address, page.role("status")]).toEqual([path, "The webhook was resumed."]);
    expect(await subscription(visitor, id)).toMatchObject({ status: "active", failure_count: 0 });
    expect(await pendingOf(id)).toBe(0);
  });

  test("with the gap, sends each event since the failure", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path } = await failedWebhook(visitor);
    const page = await confirm(visitor, path, "resume", { fill_gap: "true" });
    expect(page.role("status")).toBe(
      "The webhook was resumed. 2 events that happened meanwhile will be sent first.",
    );
    expect(page.details("Events without deliveries")).toMatch(
      /^2 since .* Their deliveries are created now, and new events follow after them\.$/,
    );
    expect((await visitor.open(`${path}?confirm=resume`)).html).not.toContain('name="fill_gap"');
    await backfill(fixture.db);
    expect(await pendingOf(id)).toBe(2);
    expect((await visitor.open(path)).details("Events without deliveries")).toBeUndefined();
    // Another tab still has the form.
    await visitor.post(path, { action: "resume", fill_gap: "true" });
    expect((await visitor.open(path)).role("alert")).toContain(
      "Nothing was changed: the webhook was resumed",
    );
  });

  test("say that older events of the gap are no longer stored", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path } = await failedWebhook(visitor);
    expect((await visitor.open(path)).details("Events without deliveries")).toMatch(
      /^2 since .* UTC\. Resume the webhook to send them\.$/,
    );
    const notStored = "Earlier ones are no longer stored and cannot be sent";
    expect((await visitor.open(`${path}?confirm=resume`)).text).not.toContain(notStored);
    await fixture.db.subscription.update({ where: { id }, data: { gapBrokenAt: new Date() } });
    expect((await visitor.open(`${path}?confirm=resume`)).text).toContain(notStored);
    expect((await visitor.open(path)).details("Events without deliveries")).toContain(
      "Earlier ones are no longer stored.",
    );
  });

  test("does not offer the gap of an active webhook with ordered events, and says why it is rejected", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path } = await failedWebhook(visitor, { ordering: "record" });
    await confirm(visitor, path, "resume", { fill_gap: null });
    await fixture.db.subscription.update({ where: { id }, data: { failureCount: 1 } });
    expect((await visitor.open(`${path}?confirm=resume`)).html).not.toContain('name="fill_gap"');
    const page = await confirm(visitor, path, "resume", { fill_gap: "true" });
    expect(page.role("alert")).toContain("Cannot be used: the subscription receives events in order");
    expect(await subscription(visitor, id)).toMatchObject({ status: "active", failure_count: 1 });
  });
});

test("disabling and enabling", async () => {
  const visitor = await startVisitor(fixture);
  const { id, path } = await createWebhook(visitor);
  const disabled = await confirm(visitor, path, "disable");
  expect(disabled.role("status")).toBe("The webhook was disabled.");
  expect(disabled.details("State")).toBe("Disabled");
  expect(disabled.link("Redeliver a range …")).toBeUndefined();
  expect(await subscription(visitor, id)).toMatchObject({
    enabled: false,
    status: "active",
    gap_complete: true,
  });
  expect((await visitor.open(path)).link("Disable …")).toBeUndefined();
  const enabled = await confirm(visitor, path, "resume");
  expect(enabled.role("status")).toBe("The webhook was resumed.");
  expect(enabled.details("State")).toBe("Active");
  expect(await subscription(visitor, id)).not.toHaveProperty("enabled");
  await confirm(visitor, path, "disable");
  const resumed = await confirm(visitor, path, "resume", { fill_gap: "true" });
  expect(resumed.role("status")).toBe("The webhook was resumed.");
  expect(resumed.details("State")).toBe("Active");
});

describe("rotating the secret", () => {
  test("shows the new one once, which is used after a day", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path, secret } = await createWebhook(visitor);
    const page = await confirm(visitor, path, "rotate_secret");
    const { rotates_at: from } = await subscription(visitor, id);
    expect(Date.parse(from ?? "") - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect(page.role("status")).toMatch(/^A new secret was created\. It is used from .* UTC on\.$/);
    expect(secretIn(page)).not.toBe(secret);
    const again = await visitor.open(path);
    expect(secretIn(again)).toBeUndefined();
    expect(again.details("Secret")).toMatch(
      /^The new secret is used from .* UTC on\. Accept both until then\.$/,
    );
  });

  test("immediately", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path } = await createWebhook(visitor);
    const page = await confirm(visitor, path, "rotate_secret", { immediately: "true" });
    expect(page.role("status")).toBe("A new secret was created. It is used immediately.");
    expect((await subscription(visitor, id)).rotates_at).toBeNull();
    expect(page.details("Secret")).toBeUndefined();
  });
});

test("deleting warns about pending deliveries, and leads to the list", async () => {
  const visitor = await startVisitor(fixture);
  const { id, path } = await createWebhook(visitor);
  const ids = { organizationId: visitor.organizationId, subscriptionId: id };
  const pending = [1, 2].map(() => ({ status: "pending" as const, at: hourAgo() }));
  await writeHistory(fixture.db, ids, pending);
  const question = await visitor.open(`${path}?confirm=delete`);
  expect(question.text).toContain("2 pending deliveries are discarded.");
  expect(question.text).toContain("This cannot be undone.");
  expect(await subscription(visitor, id)).toMatchObject({ status: "active" });
  const page = await visitor.submit(question, "delete");
  expect([page.address, page.role("status")]).toEqual([
    "/console/webhooks",
    `The webhook to ${receiver.url} was deleted.`,
  ]);
  expect((await visitor.call("GET", `/api/v1/webhooks/${id}`)).status).toBe(404);
  await visitor.open(path, 404);
  await visitor.open(`${path}/edit`, 404);
  expect((await visitor.post(path, { action: "delete" })).status).toBe(404);
});

test("cancelling goes back to the webhook", async () => {
  const visitor = await startVisitor(fixture);
  const { path } = await createWebhook(visitor);
  for (const action of ["test", "resume", "disable", "rotate_secret", "delete"]) {
    expect((await visitor.open(`${path}?confirm=${action}`)).link("Cancel")).toBe(path);
  }
  await visitor.open(`${path}?confirm=explode`, 400);
});

describe("users who must not change webhooks", () => {
  /** Returns the status of each form that changes a webhook or sends deliveries. */
  async function statusesOfForms(visitor: Visitor, path: string): Promise<number[]> {
    const fields = { target_url: receiver.url, types: "all" };
    const forms: [string, Record<string, string>][] = [
      ["/console/webhooks/new", { action: "save", ...fields }],
      ["/console/webhooks/new", { action: "check", ...fields }],
      [`${path}/edit`, { action: "save", ...fields }],
      [`${path}/edit`, { action: "check", ...fields }],
      [path, { action: "test" }],
      [path, { action: "resume" }],
      [path, { action: "disable" }],
      [path, { action: "rotate_secret" }],
      [path, { action: "delete" }],
      [`${path}/redelivery`, { action: "redeliver", since: hourAgo().toISOString() }],
      [`${path}/deliveries/${crypto.randomUUID()}`, { action: "redeliver" }],
    ];
    const statuses = [];
    for (const [to, form] of forms) statuses.push((await visitor.post(to, form)).status);
    return statuses;
  }

  test("members see the pages without actions, and every form is rejected", async () => {
    const visitor = await startVisitor(fixture);
    const { id, path } = await createWebhook(visitor);
    const [delivery] = await writeHistory(
      fixture.db,
      { organizationId: visitor.organizationId, subscriptionId: id },
      [{ status: "exhausted", at: hourAgo() }],
    );
    await fixture.db.user.update({ where: { id: visitor.userId }, data: { role: "member" } });
    receiver.received.length = 0;
    const before = await fixture.db.subscription.findUniqueOrThrow({ where: { id } });

    for (const page of ["/console/webhooks", path, `${path}/deliveries/${delivery?.id}`]) {
      const { html } = await visitor.open(page);
      const buttons = [...html.matchAll(/name="action" value="(\w+)"/g)].map(([, action]) => action);
      expect([page, buttons]).toEqual([page, ["sign_out"]]);
      expect(html).not.toMatch(/href="[^"]*(confirm=|\/edit"|\/new"|\/redelivery")/);
    }
    const forms = ["/console/webhooks/new", `${path}/edit`, `${path}?confirm=delete`, `${path}/redelivery`];
    for (const page of forms) expect((await visitor.open(page, 403)).text).toContain("Ask an admin");
    expect(new Set(await statusesOfForms(visitor, path))).toEqual(new Set([403]));
    expect(receiver.received).toEqual([]);
    expect(await fixture.db.subscription.findUniqueOrThrow({ where: { id } })).toEqual(before);
    expect(await fixture.db.subscription.count({ where: { organizationId: visitor.organizationId } })).toBe(
      1,
    );
    expect(await fixture.db.delivery.count({ where: { subscriptionId: id } })).toBe(0);
  });

  test("an admin without API access is warned, and every form is rejected", async () => {
    const visitor = await startVisitor(fixture);
    const { path } = await createWebhook(visitor);
    const where = { id: visitor.organizationId };
    await fixture.db.organization.update({ where, data: { plan: "free" } });
    const warning = "Your plan has no API access, so webhooks cannot be created or changed.";
    const pages = ["/console", "/console/webhooks", path, "/console/webhooks/new", `${path}/edit`];
    for (const page of pages) expect((await visitor.open(page)).text).toContain(warning);
    expect(new Set(await statusesOfForms(visitor, path))).toEqual(new Set([403]));
    expect((await visitor.open("/console/usage")).details("API access")).toBe("none");
    expect(await fixture.db.subscription.count({ where: { organizationId: visitor.organizationId } })).toBe(
      1,
    );
  });
});

describe("the state of a webhook in words", () => {
  const now = Date.now();
  const later = new Date(now + 600_000);

  async function stateOf(changes: object, circuitOpenUntil: Date | null, pending: number, since = hourAgo()) {
    const visitor = await startVisitor(fixture);
    const { id, path } = await createWebhook(visitor);
    const ids = { organizationId: visitor.organizationId, subscriptionId: id };
    const deliveries = Array.from({ length: pending }, () => ({ status: "pending" as const, at: since }));
    await writeHistory(fixture.db, ids, deliveries);
    await fixture.db.subscription.update({ where: { id }, data: changes });
    await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { circuitOpenUntil } });
    const page = await visitor.open(path);
    const [row] = (await visitor.open("/console/webhooks")).rows("Webhook subscriptions");
    const resume = page.html.includes("confirm=resume");
    return { state: page.details("State"), next: page.details("What happens next"), list: row?.[1], resume };
  }

  const time = /(?:\d+ \w+, )?\d\d:\d\d:\d\d/.source;
  const reason = "receiver responded with 503";

  test("active", async () => {
    expect(await stateOf({}, null, 0)).toEqual({
      state: "Active",
      next: "Each event is sent when it happens. No delivery is pending.",
      list: "Active",
      resume: false,
    });
    const state = await stateOf({}, null, 2, new Date());
    expect(state).toMatchObject({ state: "Active", next: "2 pending deliveries are sent now." });
  });

  test.each([
    [{}, "They are sent as fast as the receiver responds."],
    [{ rateLimit: 1 }, "At most 1 delivery is sent per second."],
    [{ ordering: "record" }, "The events of a record wait until the previous one is delivered or exhausted."],
  ])("delayed, with the time and the cause: %o", async (changes, cause) => {
    const state = await stateOf(changes, null, 2);
    expect(state.state).toMatch(new RegExp(`^Delayed the oldest delivery waits since ${time}$`));
    expect(state.next).toContain(`2 pending deliveries are waiting. ${cause}`);
    expect(state.list).toBe(state.state);
  });

  test("retrying, with the reason and the time of the next attempt", async () => {
    const state = await stateOf({ failureCount: 2, failureReason: reason }, later, 1);
    expect(state.state).toMatch(new RegExp(`^Retrying ${reason}, next attempt ${time}$`));
    expect(state.state).toContain(later.toISOString().slice(11, 19));
    expect(state.next).toMatch(new RegExp(`^2 attempts failed in a row. One delivery is sent at ${time}\\.`));
    expect([state.list, state.resume]).toEqual([state.state, true]);
    const over = await stateOf({ failureCount: 1, failureReason: reason }, new Date(now - 1_000), 1);
    expect(over.state).toBe(`Retrying ${reason}, next attempt now`);
    expect(over.next).toMatch(/^1 attempt failed in a row\. One delivery is sent now\./);
  });

  test("disabled", async () => {
    expect(await stateOf({ enabled: false }, null, 3)).toEqual({
      state: "Disabled",
      next: "Nothing is sent until the webhook is resumed. 3 pending deliveries are kept.",
      list: "Disabled",
      resume: true,
    });
  });

  test("failed, with the reason and the number of failures", async () => {
    const failed = { status: "failed", failedAt: hourAgo(), failureReason: reason };
    expect(await stateOf({ ...failed, failureCount: 5 }, null, 3)).toEqual({
      state: `Failed ${reason} (5 times in a row)`,
      next: "Nothing is sent. 3 pending deliveries are kept. Repair the receiver, then resume the webhook.",
      list: `Failed ${reason} (5 times in a row)`,
      resume: true,
    });
    const gone = { ...failed, failureReason: "receiver responded with 410", failureCount: 1 };
    expect(await stateOf(gone, null, 1)).toMatchObject({
      state: "Failed receiver responded with 410",
      next: expect.stringContaining("1 pending delivery is kept."),
    });
  });
});

test("a URL with special characters is escaped everywhere", async () => {
  const visitor = await startVisitor(fixture);
  const target_url = "https://receiver.example.com/?a='x'&b=%3Cscript%3E";
  const { path } = await createWebhook(visitor, { target_url });
  for (const page of [
    "/console/webhooks",
    path,
    `${path}/edit`,
    `${path}?confirm=test`,
    "/console/deliveries",
  ]) {
    const { html, text } = await visitor.open(page);
    expect(html).not.toContain(target_url);
    expect(html).toContain(target_url.replaceAll("&", "&amp;").replaceAll("'", "&#39;"));
    expect(text).toContain(target_url);
  }
});
