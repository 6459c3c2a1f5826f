import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeCursor } from "../../../http/cursor.ts";
import { type Past, writeHistory } from "../../../testing/delivery-history.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import type { HtmlPage } from "../testing/html-page.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { type CreatedWebhook, createWebhook } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const minute = 60_000;
/** Read once, since a test may begin in a later minute than the deliveries it filters. */
const thisMinute = Math.floor(Date.now() / minute) * minute;
const minutesAgo = (minutes: number) => new Date(thisMinute - minutes * minute);

const write = (visitor: Visitor, { id: subscriptionId }: CreatedWebhook, history: Past[]) =>
  writeHistory(fixture.db, { organizationId: visitor.organizationId, subscriptionId }, history);

/** Returns the IDs of the deliveries that a list shows, in order. */
function idsIn({ links }: HtmlPage): string[] {
  return links.flatMap((link) => /\/deliveries\/([0-9a-f-]{36})$/.exec(link)?.[1] ?? []);
}

const list = async (visitor: Visitor, query: Record<string, string> = {}, status = 200) =>
  visitor.open(`/console/deliveries?${new URLSearchParams(query)}`, status);

describe("filters", () => {
  const lead = crypto.randomUUID();
  const ids: Record<string, string> = {};
  const events: Record<string, string> = {};
  let visitor: Visitor;
  let first: CreatedWebhook;
  let second: CreatedWebhook;
  beforeAll(async () => {
    visitor = await startVisitor(fixture);
    first = await createWebhook(visitor, "https://one.example.com/");
    second = await createWebhook(visitor, "https://two.example.com/");
    const all: [string, CreatedWebhook, Past][] = [
      ["delivered", first, { status: "delivered", at: minutesAgo(50), recordId: lead }],
      [
        "exhausted",
        first,
        { status: "exhausted", at: minutesAgo(40), attempts: 2, eventType: "ticket.created" },
      ],
      ["retrying", first, { status: "pending", at: minutesAgo(30), attempts: 1 }],
      [
        "pending",
        second,
        { status: "pending", at: minutesAgo(20), recordId: lead, eventType: "lead.updated" },
      ],
      ["test", second, { status: "exhausted", at: minutesAgo(10), test: true }],
    ];
    for (const [name, webhook, past] of all) {
      const [written] = await write(visitor, webhook, [past]);
      ids[name] = written?.id ?? "";
      events[name] = written?.eventId ?? "";
    }
  });

  const all = ["test", "pending", "retrying", "exhausted", "delivered"];

  test.each<[query: () => Record<string, string>, found: string[]]>([
    [() => ({}), all],
    [() => ({ status: "", subscription_id: "", event_type: "", record: "", since: "", until: "" }), all],
    [() => ({ status: "pending" }), ["pending", "retrying"]],
    [() => ({ status: "retrying" }), ["retrying"]],
    [() => ({ status: "delivered" }), ["delivered"]],
    [() => ({ status: "exhausted" }), ["test", "exhausted"]],
    [() => ({ subscription_id: second.id }), ["test", "pending"]],
    [() => ({ subscription_id: second.id.toUpperCase() }), ["test", "pending"]],
    [() => ({ subscription_id: crypto.randomUUID() }), []],
    [() => ({ subscription_id: "unknown" }), []],
    [() => ({ event_type: "ticket.created" }), ["exhausted"]],
    [() => ({ record: lead }), ["pending", "delivered"]],
    [() => ({ record: lead, status: "delivered" }), ["delivered"]],
    [() => ({ record: lead, subscription_id: second.id }), ["pending"]],
    [() => ({ record: events["exhausted"] ?? "" }), ["exhausted"]],
    [() => ({ record: crypto.randomUUID() }), []],
    [() => ({ record: "Zoë" }), []],
    [() => ({ since: minutesAgo(30).toISOString() }), ["test", "pending", "retrying"]],
    [() => ({ since: minutesAgo(30).toISOString().slice(0, 16) }), ["test", "pending", "retrying"]],
    [() => ({ until: minutesAgo(30).toISOString() }), ["exhausted", "delivered"]],
    [
      () => ({ since: minutesAgo(45).toISOString(), until: minutesAgo(15).toISOString() }),
      ["pending", "retrying", "exhausted"],
    ],
    // Browsers send such years while the user still types.
    [() => ({ since: "0002-01-01T00:00" }), all],
    [() => ({ since: "0000-01-01T00:00" }), all],
    [() => ({ until: "0202-01-01T00:00" }), []],
    [() => ({ until: "9999-12-31T23:59-12:00" }), all],
  ])("%s", async (query, found) => {
    expect(idsIn(await list(visitor, query()))).toEqual(found.map((name) => ids[name]));
  });

  test("are kept in the form", async () => {
    const query = {
      status: "retrying",
      subscription_id: first.id,
      event_type: "lead.created",
      record: lead,
      since: "2026-03-01T09:00",
      until: "2026-03-02T09:30",
    };
    const { html } = await list(visitor, query);
    for (const [name, value] of Object.entries(query)) {
      const isSelected = html.includes(`<option value="${value}" selected`);
      const isTyped = html.includes(`value="${value}" id="${name}"`);
      expect([name, isSelected || isTyped]).toEqual([name, true]);
    }
  });

  test.each([
    [{ status: "lost" }, "query/status must be one of pending, retrying, delivered, exhausted"],
    [{ event_type: "lead.lost" }, "query/event_type must be one of"],
    [{ since: "yesterday" }, "since must be a date and time, for example 2026-03-01T09:00"],
    [{ until: "2026-13-01T09:00" }, "until must be a date and time"],
    [{ since: "2026-02-30T09:00" }, "since must be a date and time"],
    [{ cursor: "x" }, "cursor is not from a link of this page"],
    [{ cursor: encodeCursor(["2026-02-30T00:00:00.000Z", crypto.randomUUID()]) }, "cursor is not from"],
    [{ cursor: encodeCursor(["0000-01-01T00:00:00.000Z", crypto.randomUUID()]) }, "cursor is not from"],
    [{ cursor: encodeCursor(["2026-02-03T00:00:00.000Z", "no-id"]) }, "cursor is not from"],
  ])("%o: an error page", async (query, problem) => {
    const page = await list(visitor, query as unknown as Record<string, string>, 400);
    expect(page.text).toContain(problem);
  });

  test("a cursor before all times finds nothing", async () => {
    const cursor = encodeCursor(["0001-01-01T00:00:00.000Z", crypto.randomUUID()]);
    expect(idsIn(await list(visitor, { cursor }))).toEqual([]);
  });

  test("states are shown in words", async () => {
    const rows = (await list(visitor)).rows("Deliveries, newest first");
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ["Exhausted Test", "lead.created", "1", "500 after 7 ms", "https://two.example.com/"],
      ["Pending next attempt now", "lead.updated", "0", "–", "https://two.example.com/"],
      ["Retrying next attempt now", "lead.created", "1", "500 after 7 ms", "https://one.example.com/"],
      ["Exhausted", "ticket.created", "2", "500 after 7 ms", "https://one.example.com/"],
      ["Delivered", "lead.created", "1", "200 after 7 ms", "https://one.example.com/"],
    ]);
  });

  test("a pending delivery waits for the circuit breaker, or until the webhook is resumed", async () => {
    const own = await startVisitor(fixture);
    const webhook = await createWebhook(own);
    await write(own, webhook, [{ status: "pending", at: minutesAgo(5) }]);
    const circuitOpenUntil = new Date(Date.now() + 10 * minute);
    const where = { subscriptionId: webhook.id };
    await fixture.db.subscriptionQueue.update({ where, data: { circuitOpenUntil } });
    expect((await list(own)).text).toContain(circuitOpenUntil.toISOString().slice(11, 19));
    await fixture.db.subscription.update({ where: { id: webhook.id }, data: { status: "failed" } });
    expect((await list(own)).text).toContain("Pending waits until the webhook is resumed");
  });
});

describe("pages", () => {
  test("show each delivery once, also those of the same time, and lead back to the newest", async () => {
    const visitor = await startVisitor(fixture);
    const webhooks = [await createWebhook(visitor), await createWebhook(visitor, "https://two.example.com/")];
    const [same, earlier] = [minutesAgo(3), minutesAgo(9)];
    const written: string[] = [];
    for (const webhook of webhooks) {
      const history: Past[] = [
        ...Array.from({ length: 35 }, () => ({ status: "delivered" as const, at: same })),
        ...Array.from({ length: 25 }, () => ({ status: "pending" as const, at: same })),
        ...Array.from({ length: 5 }, () => ({ status: "exhausted" as const, at: earlier })),
      ];
      written.push(...(await write(visitor, webhook, history)).map(({ id }) => id));
    }
    let page = await list(visitor, { since: minutesAgo(60).toISOString() });
    const first = page.address;
    expect(page.link("Newest")).toBeUndefined();
    const sizes: number[] = [];
    const found: string[] = [];
    for (;;) {
      const ids = idsIn(page);
      sizes.push(ids.length);
      found.push(...ids);
      const older = page.link("Older");
      if (older === undefined) break;
      page = await visitor.open(older);
      expect(new URL(page.link("Newest") ?? "", fixture.url).searchParams.get("since")).toBe(
        new URL(first, fixture.url).searchParams.get("since"),
      );
    }
    expect(sizes).toEqual([50, 50, 30]);
    expect(new Set(found)).toEqual(new Set(written));
    expect(found).toHaveLength(written.length);
  });

  test("without deliveries, say how long they are kept", async () => {
    const visitor = await startVisitor(fixture);
    expect((await list(visitor)).text).toContain("No delivery matches.");
  });
});
