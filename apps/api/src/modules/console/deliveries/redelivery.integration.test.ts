import { afterAll, beforeAll, expect, test } from "vitest";
import { type Past, writeHistory } from "../../../testing/delivery-history.ts";
import { backfill } from "../testing/backfill.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { createWebhook } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function start(history: Past[]) {
  const visitor = await startVisitor(fixture);
  const webhook = await createWebhook(visitor);
  const ids = { organizationId: visitor.organizationId, subscriptionId: webhook.id };
  const written = await writeHistory(fixture.db, ids, history);
  return { visitor, ...webhook, written, range: `${webhook.path}/redelivery` };
}

const pendingOf = (subscriptionId: string) =>
  fixture.db.delivery.findMany({ where: { subscriptionId, redelivery: true }, orderBy: { id: "asc" } });

const mixed: Past[] = [
  { status: "exhausted", at: minutesAgo(300) },
  { status: "exhausted", at: minutesAgo(200), eventType: "ticket.created" },
  { status: "exhausted", at: minutesAgo(100) },
  { status: "delivered", at: minutesAgo(90) },
  { status: "exhausted", at: minutesAgo(80), test: true },
  { status: "exhausted", at: minutesAgo(3_000) },
];

async function preview(visitor: Visitor, path: string) {
  const page = await visitor.open(path);
  return { page, count: Number(/(\d+) deliver(?:y|ies) will be created/.exec(page.text)?.[1] ?? 0) };
}

test.each<[query: string, count: number]>([
  ["", 3],
  ["?status=&event_type=&since=&until=", 3],
  ["?event_type=ticket.created", 1],
  ["?status=delivered", 1],
  [`?since=${minutesAgo(4_000).toISOString()}`, 4],
  [`?since=${minutesAgo(4_000).toISOString()}&until=${minutesAgo(150).toISOString()}`, 3],
  ["?since=0002-01-01T00:00", 4],
])("what the preview counts is created: %s", async (query, count) => {
  const { visitor, id, range } = await start(mixed);
  const { page, count: counted } = await preview(visitor, range + query);
  expect(counted).toBe(count);
  expect(page.text).toContain(`Redeliver ${count}`);
  expect(await pendingOf(id)).toEqual([]);
  const { address } = await visitor.submit(page, "redeliver");
  await backfill(fixture.db);
  expect(await pendingOf(id)).toHaveLength(count);
  const created = count === 1 ? "1 delivery was" : `${count} deliveries were`;
  expect((await visitor.open(address)).role("status")).toBe(
    `${created} created. The list shows their outcome.`,
  );
});

test("shows the progress, and why it waits", async () => {
  const { visitor, id, range } = await start(mixed);
  const started = await visitor.submit(await visitor.open(range), "redeliver");
  const { address } = started;
  expect(started.text).toContain("0 deliveries were created so far, for attempts until");
  expect(started.html).toContain('value="0" aria-label="Searched part of the range"');
  const stopped: [object, string][] = [
    [{ status: "failed" }, "The webhook failed in the meantime. Resume it to continue."],
    [
      { status: "active", enabled: false },
      "The webhook was disabled in the meantime. Enable it to continue.",
    ],
  ];
  for (const [data, reason] of stopped) {
    await fixture.db.subscription.update({ where: { id }, data });
    expect((await visitor.open(address)).text).toContain(reason);
  }
  await fixture.db.subscription.update({ where: { id }, data: { enabled: true } });
  await backfill(fixture.db);
  const done = await visitor.open(address);
  expect(done.role("status")).toBe("3 deliveries were created. The list shows their outcome.");
  expect(done.link("Show the deliveries")).toBe(`/console/deliveries?subscription_id=${id}`);
});

test("events with a pending delivery are left out, so that a second redelivery creates nothing", async () => {
  const { visitor, id, range } = await start(mixed);
  const page = await visitor.open(range);
  await visitor.submit(page, "redeliver");
  await backfill(fixture.db);
  expect((await visitor.open(range)).text).toContain("Nothing to redeliver since");
  const { address } = await visitor.submit(page, "redeliver");
  await backfill(fixture.db);
  expect((await visitor.open(address)).role("status")).toContain(
    "Nothing was redelivered: the events already have pending deliveries",
  );
  expect(await pendingOf(id)).toHaveLength(3);
});

test("the webhook's page leads to it, unless the webhook failed", async () => {
  const { visitor, id, path, range } = await start(mixed);
  expect((await visitor.open(path)).link("Redeliver a range …")).toBe(range);
  const form = await visitor.open(range);
  await fixture.db.subscription.update({ where: { id }, data: { status: "failed" } });
  expect((await visitor.open(path)).link("Redeliver a range …")).toBeUndefined();
  const page = await visitor.submit(form, "redeliver");
  expect(page.role("alert")).toBe("The subscription's status is failed. Resume it first.");
  expect(page.address.startsWith(`${range}?`)).toBe(true);
  expect(await pendingOf(id)).toEqual([]);
});

test.each(["since=soon", "until=2026-02-30T00:00", "status=pending", "redelivery_id=x"])(
  "an invalid value is an error page: %s",
  async (query) => {
    const { visitor, range } = await start([]);
    expect((await visitor.open(`${range}?${query}`, 400)).text).toContain("invalid_request");
  },
);

test("members see the progress, but cannot start one", async () => {
  const { visitor, range } = await start(mixed);
  const { address } = await visitor.submit(await visitor.open(range), "redeliver");
  await fixture.db.user.update({ where: { id: visitor.userId }, data: { role: "member" } });
  expect((await visitor.open(address)).text).toContain("deliveries were created so far");
  expect((await visitor.open(range, 403)).text).toContain("Ask an admin");
});
