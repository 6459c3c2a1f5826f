/** What a subscription can choose in addition to its URL and types: headers of its deliveries, all event types, conditions, rate and order. */
import type { Schemas } from "@parley/contract";
import { type Receiver, respondingWith, soon } from "@parley/webhooks/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { useWebhookApi } from "../../src/testing/webhook-api.ts";

const { api, client } = useWebhookApi();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await api.startReceiver();
});

describe("headers of deliveries", () => {
  const value = 'key with spaces, "quotes" and 100 %';

  /** Publishes an event and returns the headers of its delivery. */
  async function deliver(): Promise<Record<string, unknown>> {
    receiver.received.length = 0;
    await client.createLeads(1);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
    return receiver.received[0]?.headers ?? {};
  }

  test("are sent with each delivery and test, and no response contains their values", async () => {
    const created = await client.subscribe(receiver.url, {
      headers: { "X-Api-Key": value, Authorization: "Basic x" },
    });
    const names = ["x-api-key", "authorization"];
    expect(created).toMatchObject({ header_names: names });
    await api.startWorker();
    expect(await deliver()).toMatchObject({ "x-api-key": value, authorization: "Basic x" });
    receiver.respond = respondingWith(503);
    const test = await client.take<{ data: Schemas["Delivery"] }>(
      "POST",
      `/api/v1/webhooks/${created.id}/test`,
    );
    expect(receiver.received[1]?.headers).toMatchObject({ "x-api-key": value });

    const path = `/api/v1/webhooks/${created.id}`;
    const responses = [
      created,
      await client.take("GET", "/api/v1/webhooks"),
      await client.take("GET", path),
      await client.take("GET", `${path}/deliveries`),
      await client.take("GET", `${path}/deliveries/${test.data.id}`),
    ];
    expect(JSON.stringify(responses)).not.toContain("100 %");
    expect(await client.subscription(created.id)).toMatchObject({ header_names: names });
    const [attempt] = (
      await client.take<{ data: Schemas["DeliveryDetails"] }>("GET", `${path}/deliveries/${test.data.id}`)
    ).data.attributes.attempts;
    expect(attempt?.request?.headers).toMatchObject({
      "x-api-key": "[redacted]",
      authorization: "[redacted]",
    });
  });

  test("are replaced by an update, kept by another update, and removed by an empty object", async () => {
    const { id } = await client.subscribe(receiver.url, { headers: { "x-one": "1" } });
    await api.startWorker();
    const update = (body: object) => client.take("PATCH", `/api/v1/webhooks/${id}`, body);
    await update({ event_types: ["lead.created", "lead.updated"] });
    expect(await deliver()).toMatchObject({ "x-one": "1" });
    await update({ headers: { "x-two": "2" } });
    const replaced = await deliver();
    expect(replaced).toMatchObject({ "x-two": "2" });
    expect(replaced).not.toHaveProperty("x-one");
    await update({ headers: {} });
    expect(await deliver()).not.toHaveProperty("x-two");
    expect(await client.subscription(id)).not.toHaveProperty("header_names");
  });

  test("are stored encrypted", async () => {
    const { id } = await client.subscribe(receiver.url, { headers: { "x-api-key": value } });
    const { headers } = await api.db.subscription.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(headers ?? []).toString("latin1")).not.toContain("100 %");
  });

  test.each<[string, Record<string, string>, string]>([
    ["Parley sets", { "X-Parley-Signature": "x" }, "body/headers/X-Parley-Signature is reserved"],
    ["Standard Webhooks sets", { "webhook-id": "x" }, "body/headers/webhook-id is reserved"],
    ["HTTP sets", { "Content-Length": "1" }, "body/headers/Content-Length is reserved"],
    ["is for one connection", { Connection: "close" }, "body/headers/Connection is reserved"],
    ["has a line break", { "x-a": "1\r\nx-b: 2" }, "body/headers/x-a must be visible ASCII"],
    ["is not ASCII", { "x-a": "é" }, "body/headers/x-a must be visible ASCII"],
    ["ends with a space", { "x-a": "1 " }, "body/headers/x-a must be visible ASCII"],
    ["has no valid name", { "x a": "1" }, "body/headers/x a is not the name of an HTTP header"],
    ["occurs twice", { "x-a": "1", "X-A": "2" }, "body/headers/X-A occurs twice"],
  ])("rejects a header that %s", async (_what, headers, problem) => {
    const body = { target_url: receiver.url, event_types: ["lead.created"], headers };
    for (const [method, path, sent] of [
      ["POST", "/api/v1/webhooks/subscribe", body],
      ["PATCH", `/api/v1/webhooks/${(await client.subscribe(receiver.url)).id}`, { headers }],
    ] as const) {
      const response = await client.call(method, path, sent);
      expect(response.status).toBe(400);
      expect(((await response.json()) as Schemas["ApiError"]).error_description).toContain(problem);
    }
  });

  test.each([
    ["11 headers", Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x-${index}`, "1"]))],
    ["a long value", { "x-a": "1".repeat(1_001) }],
    ["an empty value", { "x-a": "" }],
    ["a number", { "x-a": 1 }],
  ])("rejects %s", async (_what, headers) => {
    const body = { target_url: receiver.url, event_types: ["lead.created"], headers };
    expect((await client.call("POST", "/api/v1/webhooks/subscribe", body)).status).toBe(400);
  });
});

describe("subscriptions to all event types", () => {
  const types = () => receiver.received.map(({ headers }) => headers["x-parley-event"]);

  test("receive every type, each event once, with a chatbot filter too", async () => {
    const filters = { chatbot_id: client.tenant.chatbotId };
    const created = await client.subscribe(receiver.url, { event_types: ["*"], filters });
    expect((created as unknown as Schemas["CreatedSubscription"]).event_types).toEqual(["*"]);
    expect(await client.subscription(created.id)).toMatchObject({ event_types: ["*"] });
    await api.startWorker();
    await client.createLeads(1);
    await client.take("POST", "/api/v1/tickets", { subject: "Help", chatbot_id: client.tenant.chatbotId });
    await vi.waitFor(
      () => expect(new Set(types())).toEqual(new Set(["lead.created", "ticket.created"])),
      soon,
    );
  });

  test("get a test event, and the events of a gap", async () => {
    const { id } = await client.subscribe(receiver.url, { event_types: ["*"] });
    const path = `/api/v1/webhooks/${id}`;
    const sent = await client.take<{ data: Schemas["Delivery"] }>("POST", `${path}/test`);
    expect(sent.data.attributes.event_type).toBe("lead.created");
    const failed = { status: "failed", failedAt: new Date(), gapFrom: new Date(), failureReason: "down" };
    await api.db.subscription.update({ where: { id }, data: failed });
    await client.createLeads(2);
    const resumed = await client.take<{ meta: object }>("POST", `${path}/resume`, { fill_gap: true });
    expect(resumed.meta).toMatchObject({ gap_events: 2 });
  });

  test("can be changed to single types and back", async () => {
    const { id } = await client.subscribe(receiver.url, { event_types: ["*"] });
    await api.startWorker();
    const update = (event_types: string[]) => client.take("PATCH", `/api/v1/webhooks/${id}`, { event_types });
    await update(["ticket.created"]);
    await client.createLeads(1);
    await update(["*"]);
    await client.createLeads(1);
    await vi.waitFor(() => expect(types()).toEqual(["lead.created"]), soon);
  });

  test.each([
    [["*", "lead.created"], 'body/event_types must not contain other types next to "*"'],
    [["lead.*"], "body/event_types/0"],
  ])("reject %j", async (event_types, problem) => {
    const response = await client.call("POST", "/api/v1/webhooks/subscribe", {
      target_url: receiver.url,
      event_types,
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as Schemas["ApiError"]).error_description).toContain(problem);
  });
});

describe("conditions", () => {
  const score = (op: string, value: unknown) => ({ field: "data.attributes.score", op, value });
  const scores = () =>
    receiver.received.map(
      ({ body }) => (JSON.parse(body) as { data: Schemas["Lead"] }).data.attributes.score,
    );
  const createLead = (value: number, chatbot_id = client.tenant.chatbotId) =>
    client.take("POST", "/api/v1/leads", { chatbot_id, contact: { name: "Ada" }, score: value });

  async function problemOf(response: Response): Promise<string> {
    expect(response.status).toBe(400);
    return ((await response.json()) as Schemas["ApiError"]).error_description;
  }

  test("restrict the events, next to events for other subscriptions", async () => {
    const conditions = [
      score("greater", 50),
      { field: "data.attributes.contact.email", op: "exists", value: false },
    ];
    const created = await client.subscribe(receiver.url, { filters: { conditions } });
    expect(created).toMatchObject({ filters: { conditions } });
    expect(await client.subscription(created.id)).toMatchObject({ filters: { conditions } });
    const all = await api.startReceiver();
    await client.subscribe(all.url);
    await api.startWorker();
    for (const value of [40, 60, 50, 90]) await createLead(value);
    await vi.waitFor(() => expect(all.received).toHaveLength(4), soon);
    await vi.waitFor(() => expect(new Set(scores())).toEqual(new Set([60, 90])), soon);
  });

  test("are replaced, kept and removed by updates", async () => {
    const { id } = await client.subscribe(receiver.url, { filters: { conditions: [score("less", 10)] } });
    const update = (body: object) =>
      client.take<{ data: Schemas["Subscription"] }>("PATCH", `/api/v1/webhooks/${id}`, body);
    const { data } = await update({ event_types: ["lead.created", "lead.updated"] });
    expect(data.filters).toEqual({ conditions: [score("less", 10)] });
    const { chatbotId } = client.tenant;
    await update({ filters: { chatbot_id: chatbotId, conditions: [score("greater", 10)] } });
    await api.startWorker();
    await createLead(5);
    await createLead(20);
    await vi.waitFor(() => expect(scores()).toEqual([20]), soon);
    const { data: removed } = await update({ filters: {} });
    expect(removed.filters).toEqual({});
    await createLead(5);
    await vi.waitFor(() => expect(scores()).toEqual([20, 5]), soon);
  });

  test("apply to the events of a gap", async () => {
    const { id } = await client.subscribe(receiver.url, { filters: { conditions: [score("greater", 50)] } });
    const failed = { status: "failed", failedAt: new Date(), gapFrom: new Date(), failureReason: "down" };
    await api.db.subscription.update({ where: { id }, data: failed });
    for (const value of [10, 60, 20, 70]) await createLead(value);
    const resumed = await client.take<{ meta: object }>("POST", `/api/v1/webhooks/${id}/resume`, {
      fill_gap: true,
    });
    expect(resumed.meta).toMatchObject({ gap_events: 2 });
  });

  test("store times in UTC, and the default of exists", async () => {
    const conditions = [
      { field: "data.attributes.created_at", op: "greater", value: "2026-03-01T10:00:00+01:00" },
      { field: "data.attributes.score", op: "exists" },
    ];
    expect(await client.subscribe(receiver.url, { filters: { conditions } })).toMatchObject({
      filters: {
        conditions: [
          { ...conditions[0], value: "2026-03-01T09:00:00.000Z" },
          { ...conditions[1], value: true },
        ],
      },
    });
  });

  test("are refused with the type that lacks the field, also when the types change", async () => {
    const subscribe = (conditions: unknown, event_types = ["lead.created"]) =>
      client.call("POST", "/api/v1/webhooks/subscribe", {
        target_url: receiver.url,
        event_types,
        filters: { conditions },
      });
    const misspelled = { field: "data.attributes.scroe", op: "greater", value: 5 };
    expect(await problemOf(await subscribe([score("less", 5), misspelled]))).toBe(
      'body/filters/conditions/1/field "data.attributes.scroe" is not a field of lead.created. Did you mean score?',
    );
    expect(await problemOf(await subscribe([score("less", 5)], ["lead.created", "ticket.created"]))).toBe(
      'body/filters/conditions/0/field "data.attributes.score" is not a field of ticket.created',
    );
    expect(await problemOf(await subscribe(Array(11).fill(score("less", 5))))).toContain("at most 10 items");
    expect(await problemOf(await subscribe([]))).toContain("at least 1 item");
    expect(await problemOf(await subscribe([{ ...score("less", 5), op: "lesser" }]))).toContain(
      "must be one of",
    );
    expect(await problemOf(await subscribe([{ field: "data..id", op: "exists" }]))).toContain("field");
    expect(await problemOf(await subscribe([score("in", [])]))).toContain("must contain at least one value");
    expect(
      await problemOf(await subscribe([score("equals", "5")], ["lead.created", "lead.updated"])),
    ).toContain('value must be a number, as "data.attributes.score" is');
    const { id } = await client.subscribe(receiver.url, { filters: { conditions: [score("less", 5)] } });
    const update = await client.call("PATCH", `/api/v1/webhooks/${id}`, {
      event_types: ["meeting.reminder"],
    });
    expect(await problemOf(update)).toContain(
      'body/event_types do not suit the conditions of the subscription: "data.attributes.score" is not a field of meeting.reminder',
    );
    expect(await client.subscription(id)).toMatchObject({ event_types: ["lead.created"] });
  });
});

describe("rate limit and order", () => {
  const update = (id: string, body: object) =>
    client.take<{ data: Schemas["Subscription"] }>("PATCH", `/api/v1/webhooks/${id}`, body);
  const scores = () =>
    receiver.received.map(
      ({ body }) => (JSON.parse(body) as { data: Schemas["Lead"] }).data.attributes.score,
    );

  test("are missing unless they are set, and null removes them", async () => {
    const plain = await client.subscribe(receiver.url, { rate_limit: null, ordering: null });
    for (const member of ["rate_limit", "ordering"]) expect(plain).not.toHaveProperty(member);
    const set = { rate_limit: 5, ordering: "record" };
    const { id } = await client.subscribe(receiver.url, set);
    expect(await client.subscription(id)).toMatchObject(set);
    expect((await update(id, { target_url: `${receiver.url}/2` })).data).toMatchObject(set);
    const { data } = await update(id, { rate_limit: null, ordering: null });
    for (const member of ["rate_limit", "ordering"]) expect(data).not.toHaveProperty(member);
    expect((await update(id, { rate_limit: 1000, ordering: "record" })).data).toMatchObject({
      rate_limit: 1000,
    });
  });

  test.each([
    { rate_limit: 0 },
    { rate_limit: 1001 },
    { rate_limit: 1.5 },
    { rate_limit: "5" },
    { ordering: "records" },
    { ordering: true },
  ])("refuse %j", async (member) => {
    const created = { target_url: receiver.url, event_types: ["lead.created"], ...member };
    expect((await client.call("POST", "/api/v1/webhooks/subscribe", created)).status).toBe(400);
    const { id } = await client.subscribe(receiver.url);
    expect((await client.call("PATCH", `/api/v1/webhooks/${id}`, member)).status).toBe(400);
  });

  test("an order applies to pending deliveries too, also after a redelivery", async () => {
    const { id } = await client.subscribe(receiver.url, { event_types: ["lead.created", "lead.updated"] });
    const { data: lead } = await client.take<{ data: Schemas["Lead"] }>("POST", "/api/v1/leads", {
      chatbot_id: client.tenant.chatbotId,
      contact: { name: "Ada" },
      score: 1,
    });
    const setScore = (score: number) => client.take("PATCH", `/api/v1/leads/${lead.id}`, { score });
    for (const score of [2, 3]) await setScore(score);
    await update(id, { ordering: "record" });
    for (const score of [4, 5]) await setScore(score);
    const held: (() => void)[] = [];
    receiver.respond = (response) => void held.push(() => response.end());
    await api.startWorker();
    for (const arrived of [1, 2, 3, 4, 5]) {
      await vi.waitFor(() => expect(scores()).toHaveLength(arrived), soon);
      held.shift()?.();
    }
    expect(scores()).toEqual([1, 2, 3, 4, 5]);
    const path = `/api/v1/webhooks/${id}/deliveries`;
    await vi.waitFor(async () => {
      const { meta } = await client.take<{ meta: { total: number } }>("GET", `${path}?status=delivered`);
      expect(meta.total).toBe(5);
    }, soon);
    const list = await client.take<{ data: Schemas["Delivery"][] }>("GET", path);
    const first = list.data.at(-1)?.id ?? "";
    const again = await client.take<{ data: Schemas["Delivery"] }>("POST", `${path}/${first}/redeliver`);
    expect(again.data.attributes).toMatchObject({ redelivery: true });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(6), soon);
    expect(receiver.received[5]?.headers).toMatchObject({ "x-parley-redelivery": "true" });
    held.shift()?.();
    expect(JSON.stringify(list)).not.toContain("redelivery");
  });

  test("a gap cannot be filled after the subscription was resumed without it, because later events may have arrived", async () => {
    const { id } = await client.subscribe(receiver.url, { ordering: "record" });
    const failed = { status: "failed", failedAt: new Date(), gapFrom: new Date(), failureReason: "down" };
    await api.db.subscription.update({ where: { id }, data: failed });
    await client.createLeads(2);
    const resume = (body: object) => client.call("POST", `/api/v1/webhooks/${id}/resume`, body);
    expect((await resume({})).status).toBe(200);
    const late = await resume({ fill_gap: true });
    expect(late.status).toBe(400);
    expect(((await late.json()) as Schemas["ApiError"]).error_description).toContain(
      "body/fill_gap cannot be used: the subscription receives events in order",
    );
    expect(await api.db.delivery.count({ where: { subscriptionId: id } })).toBe(0);
  });

  test("equal headers are no change", async () => {
    const headers = { "X-Key": "1" };
    const { id } = await client.subscribe(receiver.url, { headers });
    const before = await client.subscription(id);
    expect((await update(id, { headers })).data.updated_at).toBe(before.updated_at);
    expect((await update(id, { headers: { "x-key": "2" } })).data.updated_at).not.toBe(before.updated_at);
    expect(await api.db.subscriptionVersion.count({ where: { subscriptionId: id } })).toBe(1);
  });

  test("an order is refused while very many deliveries are pending", async () => {
    const { id } = await client.subscribe(receiver.url);
    await client.createLeads(1);
    await api.db.$executeRaw`
      INSERT INTO deliveries (organization_id, subscription_id, event_id)
      SELECT organization_id, subscription_id, event_id FROM deliveries, generate_series(1, 10000)
      WHERE subscription_id = ${id}::uuid`;
    const response = await client.call("PATCH", `/api/v1/webhooks/${id}`, { ordering: "record" });
    expect(response.status).toBe(400);
    expect(((await response.json()) as Schemas["ApiError"]).error_description).toContain(
      "body/ordering cannot be set while more than 10,000 deliveries are pending",
    );
    await client.take("DELETE", `/api/v1/webhooks/${id}`);
  });
});

describe("a disabled subscription", () => {
  const patch = (id: string, body: object) => client.call("PATCH", `/api/v1/webhooks/${id}`, body);

  test("skips events from its creation on, and receives them when it is resumed with fill_gap", async () => {
    const created = await client.subscribe(receiver.url, { enabled: false });
    expect(created).toMatchObject({ enabled: false, status: "active" });
    await api.startWorker();
    await client.createLeads(2);
    expect(await client.subscription(created.id)).toMatchObject({
      enabled: false,
      gap_from: expect.any(String),
      gap_complete: true,
      filling_gap: false,
    });
    const resumed = await client.take<object>("POST", `/api/v1/webhooks/${created.id}/resume`, {
      fill_gap: true,
    });
    expect(resumed).toMatchObject({ data: { status: "active", filling_gap: true }, meta: { gap_events: 2 } });
    expect(resumed).not.toHaveProperty("data.enabled");
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
  });

  test("sends nothing, keeps pending deliveries, and receives only new events when it is enabled again", async () => {
    const { id } = await client.subscribe(receiver.url);
    await client.createLeads(1);
    expect((await patch(id, { enabled: false })).status).toBe(200);
    await client.createLeads(1);
    const before = await client.subscription(id);
    await patch(id, { enabled: false }); // No change.
    expect(await client.subscription(id)).toEqual(before);
    await api.startWorker();
    const witness = await api.startReceiver();
    await client.subscribe(witness.url);
    await client.createLeads(1);
    await vi.waitFor(() => expect(witness.received).toHaveLength(1), soon);
    expect(receiver.received).toEqual([]);
    await patch(id, { enabled: true });
    await client.createLeads(1);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
    await vi.waitFor(async () => expect(await client.subscription(id)).not.toHaveProperty("gap_from"), soon);
  });

  test("stays failed when it is enabled", async () => {
    const { id } = await client.subscribe(receiver.url);
    await api.db.subscription.update({ where: { id }, data: { status: "failed", enabled: false } });
    await patch(id, { enabled: true });
    expect(await client.subscription(id)).toMatchObject({ status: "failed" });
  });
});
