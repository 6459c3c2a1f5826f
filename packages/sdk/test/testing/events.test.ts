import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { eventTypes, webhookEvent, webhookHeaders, webhookRequest } from "../../src/testing/index.ts";
import { verifyWebhook } from "../../src/webhooks/index.ts";
import { receiveWebhooks } from "../../src/webhooks/receivers/request.ts";

const secret = "parley_ws_test";

describe("webhookEvent", () => {
  test("knows all 22 event types", () => {
    expect(new Set(eventTypes).size).toBe(22);
  });

  test.each(eventTypes)("returns an event of the type %s with a new ID", (type) => {
    const [event, other] = [webhookEvent(type), webhookEvent(type)];
    expect(event).toMatchObject({ type, api_version: "2024-01-01", data: { type: expect.any(String) } });
    expect(other).toEqual({ ...event, id: expect.not.stringContaining(event.id) });
  });

  test("replaces the given values and keeps the others", () => {
    const event = webhookEvent("lead.qualified", {
      chatbot_id: null,
      data: { id: "lead-1", attributes: { score: 91, contact: { phone: "+49 30 1" } } },
    });
    const example = webhookEvent("lead.qualified");
    expect(event).toEqual({
      ...example,
      id: event.id,
      chatbot_id: null,
      data: {
        ...example.data,
        id: "lead-1",
        attributes: {
          ...example.data.attributes,
          score: 91,
          contact: { ...example.data.attributes.contact, phone: "+49 30 1" },
        },
      },
    });
  });

  test("returns events that share no objects", () => {
    const event = webhookEvent("ticket.created");
    event.data.attributes.subject = "changed";
    expect(webhookEvent("ticket.created").data.attributes.subject).not.toBe("changed");
  });

  test("throws a TypeError that lists the types for an unknown type", () => {
    expect(() => webhookEvent("lead.gone" as "lead.created")).toThrow(
      /^There is no example "lead.gone"\. Known: lead\.created, /,
    );
    expect(() => webhookEvent("toString" as "lead.created")).toThrow(TypeError);
  });
});

describe("webhookRequest", () => {
  test.each(eventTypes)("signs %s so that a receiver handles it", async (type) => {
    const event = webhookEvent(type);
    const handled: unknown[] = [];
    const receive = receiveWebhooks({
      secret,
      on: {},
      onOther: (received, { id }) => handled.push([received, id]),
    });
    const options = { secret, deliveryId: "delivery-1" };
    const request = await webhookRequest("https://app.example.com/hook", event, options);
    expect((await receive(request)).status).toBe(204);
    expect(handled).toEqual([[event, "delivery-1"]]);
  });

  test("has the headers of Standard Webhooks, which its library verifies", async () => {
    const event = webhookEvent("lead.created");
    const request = await webhookRequest("https://app.example.com/hook", event, { secret });
    const webhook = new Webhook(btoa(secret));
    expect(webhook.verify(await request.text(), Object.fromEntries(request.headers))).toEqual(event);
    expect(request.headers.get("webhook-id")).toBe(request.headers.get("x-parley-delivery"));
    expect(request.headers.get("x-parley-event")).toBe("lead.created");
    expect(request.headers.get("content-type")).toBe("application/json");
  });

  test("signs the time of the given clock", async () => {
    const now = () => Date.parse("2020-01-01T00:00:00.900Z");
    const body = JSON.stringify(webhookEvent("lead.created"));
    const headers = await webhookHeaders(body, { secret, now });
    expect(headers["x-parley-timestamp"]).toBe("1577836800");
    expect(headers["webhook-timestamp"]).toBe("1577836800");
    await expect(verifyWebhook({ payload: body, headers, secret })).rejects.toMatchObject({
      code: "timestamp_too_old",
    });
    expect(await verifyWebhook({ payload: body, headers, secret, now })).toMatchObject({
      type: "lead.created",
    });
  });

  test.each([
    ["a string", "no event"],
    ["bytes", new TextEncoder().encode("no event")],
  ])("signs any body: %s", async (_, payload) => {
    const request = await webhookRequest("https://app.example.com/hook", payload, { secret });
    const receive = receiveWebhooks({ secret, on: {}, onError: () => {} });
    expect(await (await receive(request)).json()).toMatchObject({ error: "malformed_payload" });
  });
});
