import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeHistory } from "../../../testing/delivery-history.ts";
import { createChatbot } from "../testing/chatbot.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import type { HtmlPage } from "../testing/html-page.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { createWebhook } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

interface NewEvent {
  type?: string;
  at: Date;
  recordId?: string;
  chatbotId?: string;
}

/** Creates an event; returns its ID. */
async function createEvent(
  { organizationId }: Visitor,
  { type = "lead.created", at, recordId, chatbotId }: NewEvent,
): Promise<string> {
  const id = crypto.randomUUID();
  const body = JSON.stringify({ id, type, data: { note: "<b>bold</b>" } });
  const record = { recordId: recordId ?? null, chatbotId: chatbotId ?? null };
  await fixture.db.event.create({ data: { id, organizationId, type, body, createdAt: at, ...record } });
  return id;
}

/** Returns the IDs of the events that a list shows, in order. */
function idsIn({ links }: HtmlPage): string[] {
  return links.flatMap((link) => /^\/console\/events\/([0-9a-f-]{36})$/.exec(link)?.[1] ?? []);
}

const list = async (visitor: Visitor, query: Record<string, string> = {}, status = 200) =>
  visitor.open(`/console/events?${new URLSearchParams(query)}`, status);

describe("the list", () => {
  const record = crypto.randomUUID();
  const ids: Record<string, string> = {};
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await startVisitor(fixture);
    ids["old"] = await createEvent(visitor, { at: minutesAgo(50), recordId: record });
    ids["ticket"] = await createEvent(visitor, { at: minutesAgo(30), type: "ticket.created" });
    ids["new"] = await createEvent(visitor, { at: minutesAgo(10), type: "lead.updated", recordId: record });
  });

  test.each<[query: () => Record<string, string>, found: string[]]>([
    [() => ({}), ["new", "ticket", "old"]],
    [() => ({ event_type: "", record: "", since: "", until: "" }), ["new", "ticket", "old"]],
    [() => ({ event_type: "ticket.created" }), ["ticket"]],
    [() => ({ record }), ["new", "old"]],
    [() => ({ record, event_type: "lead.updated" }), ["new"]],
    [() => ({ record: ids["ticket"] ?? "" }), ["ticket"]],
    [() => ({ record: crypto.randomUUID() }), []],
    [() => ({ record: "no ID" }), []],
    [() => ({ since: minutesAgo(40).toISOString() }), ["new", "ticket"]],
    [() => ({ until: minutesAgo(20).toISOString().slice(0, 19) }), ["ticket", "old"]],
    [() => ({ since: "0002-01-01T00:00" }), ["new", "ticket", "old"]],
  ])("%s", async (query, found) => {
    expect(idsIn(await list(visitor, query()))).toEqual(found.map((name) => ids[name]));
  });

  test.each([{ event_type: "lead.lost" }, { since: "soon" }, { cursor: "x" }])(
    "%o: an error page",
    async (query) => {
      const page = await list(visitor, query as unknown as Record<string, string>, 400);
      expect(page.text).toContain("invalid_request");
    },
  );

  test("links to the type, to the other events of the record, and to the event", async () => {
    const page = await list(visitor, { record: ids["new"] ?? "" });
    expect(page.link("lead.updated")).toBe("/console/event-types/lead.updated");
    expect(idsIn(await visitor.open(page.link(record) ?? ""))).toEqual([ids["new"], ids["old"]]);
  });

  test("has pages that show each event once, also those of the same time", async () => {
    const own = await startVisitor(fixture);
    const [same, earlier] = [minutesAgo(3), minutesAgo(9)];
    const written = [];
    for (let i = 0; i < 70; i += 1) written.push(await createEvent(own, { at: i < 60 ? same : earlier }));
    const first = await list(own, { event_type: "lead.created" });
    const second = await own.open(first.link("Older") ?? "");
    expect([idsIn(first).length, idsIn(second).length, second.link("Older")]).toEqual([50, 20, undefined]);
    expect(new Set([...idsIn(first), ...idsIn(second)])).toEqual(new Set(written));
    expect(second.link("Newest")).toBe("/console/events?event_type=lead.created");
  });

  test("without events, says when there are some", async () => {
    expect((await list(await startVisitor(fixture))).text).toContain("An event is recorded when a lead,");
  });
});

describe("the page of an event", () => {
  test("shows its body and its deliveries to each webhook", async () => {
    const visitor = await startVisitor(fixture);
    const { organizationId } = visitor;
    const { id: chatbotId } = await createChatbot(fixture.db, organizationId, "Sales <bot>");
    const recordId = crypto.randomUUID();
    const eventId = await createEvent(visitor, { at: minutesAgo(20), chatbotId, recordId });
    const urls = ["https://one.example.com/", "https://two.example.com/"];
    const [one, two] = [await createWebhook(visitor, urls[0]), await createWebhook(visitor, urls[1])];
    await writeHistory(fixture.db, { organizationId, subscriptionId: one.id }, [
      { status: "exhausted", at: minutesAgo(15), eventId },
      { status: "pending", at: minutesAgo(5), eventId },
    ]);
    await writeHistory(fixture.db, { organizationId, subscriptionId: two.id }, [
      { status: "delivered", at: minutesAgo(10), eventId },
    ]);
    const page = await visitor.open(`/console/events/${eventId}`);
    expect(page.heading).toBe(`Event ${eventId}`);
    expect(page.details("Event type")).toBe("lead.created");
    expect(page.details("Chatbot")).toBe("Sales <bot>");
    expect(page.details("Record")).toBe(`${recordId} All its events, all its deliveries`);
    const rows = page.rows("Deliveries of the event").map(([, ...cells]) => cells);
    expect(rows).toEqual([
      ["Pending next attempt now", "0", "–", urls[0]],
      ["Delivered", "1", "200 after 7 ms", urls[1]],
      ["Exhausted", "1", "500 after 7 ms", urls[0]],
    ]);
    expect(page.html).not.toContain("<b>bold</b>");
    expect(page.code.some((code) => code.includes("<b>bold</b>"))).toBe(true);
    for (const link of ["All its events", "all its deliveries"]) await visitor.open(page.link(link) ?? "");
  });

  test("says that no webhook received it", async () => {
    const visitor = await startVisitor(fixture);
    const id = await createEvent(visitor, { at: minutesAgo(1) });
    expect((await visitor.open(`/console/events/${id}`)).text).toContain("No webhook received this event");
  });

  test.each(["unknown", crypto.randomUUID(), "%00"])("is not found: %s", async (id) => {
    const visitor = await startVisitor(fixture);
    const response = await visitor.browser.get(`${fixture.url}/console/events/${id}`);
    expect(response.status).toBe(id === "%00" ? 400 : 404);
  });
});
