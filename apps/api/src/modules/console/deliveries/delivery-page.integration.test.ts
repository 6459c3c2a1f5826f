import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeHistory } from "../../../testing/delivery-history.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { deliverLead } from "../testing/delivered-lead.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { type CreatedWebhook, createWebhook } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
let visitor: Visitor;
let webhook: CreatedWebhook;
beforeAll(async () => {
  fixture = await startConsole();
  visitor = await startVisitor(fixture);
  webhook = await createWebhook(visitor, "https://receiver.example.com/hook?a='1'&b=2", {
    headers: "X-Api-Key: hidden-value",
  });
});
afterAll(() => fixture.close());

const hourAgo = () => new Date(Date.now() - 3_600_000);

const deliver = (name: string, to = webhook) => deliverLead(fixture.db, visitor, to, name);

describe("the page of a delivery", () => {
  test("shows every attempt, with redacted values of the webhook's headers", async () => {
    const { path, id, event } = await deliver("Zoë");
    const page = await visitor.open(path);
    expect(page.heading).toBe(`Delivery ${id}`);
    expect(page.details("Status")).toBe("Delivered");
    expect(page.details("Last response")).toBe("200 after 7 ms");
    expect(page.details("Event")).toBe(event.id);
    expect(page.text).toContain("Attempt 1: 500 after 7 ms");
    expect(page.text).toContain("the receiver responded with 500");
    expect(page.text).toContain("Attempt 2: 200 after 7 ms");
    expect(page.html.indexOf("Attempt 2:")).toBeLessThan(page.html.indexOf("Attempt 1:"));
    expect(page.html).not.toContain("hidden-value");
    const request = Object.fromEntries(page.rows("Request headers of attempt 2"));
    expect(request).toMatchObject({
      "x-api-key": "[redacted]",
      "x-parley-event": "lead.created",
      "x-parley-delivery": id,
      "webhook-id": id,
    });
    const signed = `${request["x-parley-timestamp"]}.${event.body}`;
    const digest = createHmac("sha256", webhook.secret).update(signed).digest("hex");
    expect(request["x-parley-signature"]).toBe(`sha256=${digest}`);
    expect(page.rows("Response headers of attempt 2")).toEqual([["x-receiver", "seven"]]);
    expect(page.details("Address")).toBe("203.0.113.7");
    expect(page.code).toContain("response 1");
    expect(page.code).toContain(event.body);
  });

  test("escapes the body", async () => {
    const name = "<script>alert('x')</script><img src=x onerror=alert(1)>";
    const { path, event } = await deliver(name);
    const page = await visitor.open(path);
    expect(page.html).not.toContain("<script>alert");
    expect(page.html).not.toContain("<img");
    expect(page.code.filter((code) => code === event.body)).toHaveLength(1);
    expect(page.code.map((code) => code.includes(name)).filter(Boolean).length).toBeGreaterThan(1);
    expect((await visitor.open(`/console/events/${event.id}`)).html).not.toContain("<script>alert");
  });

  test("of a delivery that was not sent yet", async () => {
    const ids = { organizationId: visitor.organizationId, subscriptionId: webhook.id };
    const [pending] = await writeHistory(fixture.db, ids, [{ status: "pending", at: hourAgo() }]);
    const page = await visitor.open(`${webhook.path}/deliveries/${pending?.id}`);
    expect(page.details("Last response")).toBe("none yet");
    expect(page.text).toContain("Not sent yet.");
    expect(page.text).not.toContain("Verify it yourself");
  });

  test("of an event that is no longer stored", async () => {
    const { path, event } = await deliver("Zoë");
    await fixture.db.event.delete({ where: { id: event.id } });
    const page = await visitor.open(path);
    expect(page.text).toContain("The event is no longer stored.");
    expect(page.text).not.toContain("Verify it yourself");
    const rejected = await visitor.submit(page, "redeliver");
    expect(rejected.address).toBe(path);
    expect(rejected.role("alert")).toBe(
      "The event of this delivery is no longer stored, so it cannot be redelivered.",
    );
  });

  test.each(["unknown", crypto.randomUUID()])("is not found: %s", async (id) => {
    await visitor.open(`${webhook.path}/deliveries/${id}`, 404);
    await visitor.open(`/console/webhooks/${id}/deliveries/${id}`, 404);
    const response = await visitor.post(`${webhook.path}/deliveries/${id}`, { action: "redeliver" });
    expect(response.status).toBe(404);
  });

  test("is not found at another webhook", async () => {
    const { id } = await deliver("Zoë");
    const other = await createWebhook(visitor);
    expect((await visitor.open(`${other.path}/deliveries/${id}`, 404)).heading).toBe("Not found");
  });
});

describe("redelivering one", () => {
  test("creates another delivery of the event, and leads to it", async () => {
    const { path, id, event } = await deliver("Zoë");
    const page = await visitor.submit(await visitor.open(path), "redeliver");
    expect(page.role("status")).toBe("This is the new delivery.");
    expect(page.address).not.toBe(path);
    expect(page.address.startsWith(`${webhook.path}/deliveries/`)).toBe(true);
    expect(page.details("Status")).toBe("Pending next attempt now Redelivery");
    const created = await fixture.db.delivery.findMany({ where: { eventId: event.id } });
    expect(created).toMatchObject([{ redelivery: true, subscriptionId: webhook.id }]);
    expect(created[0]?.id).not.toBe(id);
  });

  test("sends a pending one now", async () => {
    const ids = { organizationId: visitor.organizationId, subscriptionId: webhook.id };
    const history = [{ status: "pending" as const, at: hourAgo(), attempts: 1 }];
    const [pending] = await writeHistory(fixture.db, ids, history);
    const where = { id: pending?.id ?? "" };
    await fixture.db.delivery.update({ where, data: { nextAt: new Date(Date.now() + 3_600_000) } });
    const path = `${webhook.path}/deliveries/${pending?.id}`;
    const page = await visitor.submit(await visitor.open(path), "redeliver");
    expect([page.address, page.role("status")]).toEqual([path, "The delivery is scheduled for now."]);
    const { nextAt } = await fixture.db.delivery.findUniqueOrThrow({ where });
    expect(nextAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await fixture.db.delivery.count({ where: { eventId: pending?.eventId ?? "" } })).toBe(1);
  });

  test("says why it is not possible", async () => {
    const failed = await createWebhook(visitor);
    const { path } = await deliver("Zoë", failed);
    await fixture.db.subscription.update({ where: { id: failed.id }, data: { status: "failed" } });
    const page = await visitor.open(path);
    expect(page.text).toContain("The webhook is failed, so nothing is sent. Resume it to redeliver.");
    const response = await visitor.post(path, { action: "redeliver" });
    expect([response.status, response.headers.get("location")]).toEqual([303, path]);
    expect((await visitor.open(path)).role("alert")).toBe(
      "The subscription's status is failed. Resume it first.",
    );
    expect(await fixture.db.delivery.count({ where: { subscriptionId: failed.id } })).toBe(0);
  });
});
