import { afterAll, describe, expect, test, vi } from "vitest";
import {
  closeReceivers,
  deliveryAbout,
  endBackoff,
  failuresReach,
  header,
  lead,
  newReceiver,
  parse,
  signatureOf,
  soon,
  subscribe,
} from "./receiving.ts";
import { type Resource, useAccount } from "./service.ts";

// What a subscription can choose: conditions, headers, a rate limit and the order of each record. What an attempt shows.

const path = "/api/v1/webhooks";
const { service, account } = useAccount();
afterAll(closeReceivers);

const score = (op: string, value: unknown) => ({ field: "data.attributes.score", op, value });
const options = {
  filters: { conditions: [score("greater", 50)] },
  rate_limit: 100,
  ordering: "record",
};

test("the members are in responses only if they are set, and null or an empty object removes them", async () => {
  const receiver = await newReceiver();
  const plain = await subscribe(account, receiver);
  for (const name of ["header_names", "rate_limit", "ordering"]) expect(plain).not.toHaveProperty(name);
  expect(plain).toMatchObject({ filters: {} });
  const { id, ...created } = await subscribe(account, receiver, { ...options, headers: { "X-Key": "k" } });
  expect(created).toMatchObject({ ...options, header_names: ["x-key"] });
  expect(created).not.toHaveProperty("headers");
  const removal = { filters: {}, headers: {}, rate_limit: null, ordering: null };
  const { body } = await account.call<object>("PATCH", `${path}/${id}`, removal);
  expect(body.data).toMatchObject({ filters: {} });
  for (const name of ["header_names", "rate_limit", "ordering"]) expect(body.data).not.toHaveProperty(name);
});

describe("conditions", () => {
  test("select events, and headers are added", async () => {
    const receiver = await newReceiver();
    await subscribe(account, receiver, { ...options, headers: { "X-Key": "k" } });
    await account.write(lead("cold", { score: 50 }));
    const [id] = await account.write(lead("hot", { score: 51 }));
    const received = await deliveryAbout(receiver, id);
    expect(header(received, "x-key")).toBe("k");
    expect(receiver.received.map((one) => parse(one).data.id)).toEqual([id]);
  });

  test.each([
    ["data.attributes.scores", "lead.created", { op: "exists" }],
    ["data.attributes.score", "ticket.created", { op: "less", value: 1 }],
  ])("for %s are refused with a 400 that names %s", async (field, type, condition) => {
    const receiver = await newReceiver();
    const { status, body } = await account.call("POST", `${path}/subscribe`, {
      target_url: receiver.url,
      event_types: [...new Set(["lead.created", type])],
      filters: { conditions: [{ field, ...condition }] },
    });
    expect([status, body]).toEqual([
      400,
      { error: "invalid_request", error_description: expect.stringContaining(`is not a field of ${type}`) },
    ]);
  });
});

test("the events of a record arrive in order through failures, and a redelivery says so", async () => {
  let failures = 1;
  const receiver = await newReceiver((response) => response.writeHead(failures-- > 0 ? 503 : 200).end());
  const changes = { event_types: ["lead.created", "lead.updated"], ordering: "record" };
  const subscription = await subscribe(account, receiver, changes);
  const [record] = await account.write(lead("ordered", { score: 1 }));
  for (const value of [2, 3, 4]) await account.write(lead("ordered", { score: value }));
  const scores = () =>
    receiver.received.map((one) => (parse(one).data.attributes as { score: number }).score);
  await failuresReach(account, subscription, 1);
  await endBackoff(service, subscription);
  await vi.waitFor(() => expect(scores()).toEqual([1, 1, 2, 3, 4]), soon);

  const [first] = receiver.received;
  const deliveryId = first ? header(first, "x-parley-delivery") : "";
  const delivery = `${path}/${subscription.id}/deliveries/${deliveryId}`;
  await vi.waitFor(async () => {
    expect((await account.call("POST", `${delivery}/redeliver`)).status).toBe(200);
  }, soon);
  await vi.waitFor(() => expect(scores()).toHaveLength(6), soon);
  const last = receiver.received.at(-1);
  expect(last && [header(last, "x-parley-redelivery"), parse(last).data.id]).toEqual(["true", record]);
  expect(first?.headers).not.toHaveProperty("x-parley-redelivery");
});

test("a rate limit spreads deliveries evenly", async () => {
  const { id } = await subscribe(account, await newReceiver(), { rate_limit: 20 });
  await account.write(...Array.from({ length: 10 }, (_, index) => lead(`rate-${index}`)));
  const times = await vi.waitFor(async () => {
    const delivered = `${path}/${id}/deliveries?status=delivered`;
    const { data } = (await account.call<Resource[]>("GET", delivered)).body;
    expect(data).toHaveLength(10);
    return data.map(({ attributes }) =>
      Date.parse((attributes["last_attempt"] as { attempted_at: string }).attempted_at),
    );
  }, soon);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(225); // Half of nine intervals of 50 ms.
});

test("each attempt of a retrieved delivery shows the request as sent, the response, addresses and durations", async () => {
  const receiver = await newReceiver((response) => response.setHeader("x-trace", "7").end("thanks"));
  const { id, secret } = await subscribe(account, receiver, { headers: { "X-Key": "k" } });
  const [record] = await account.write(lead("shown"));
  const received = await deliveryAbout(receiver, record);
  const delivery = `${path}/${id}/deliveries/${header(received, "x-parley-delivery")}`;
  interface Details {
    attributes: { body: string; attempts: { request: { url: string; headers: Record<string, string> } }[] };
  }
  await vi.waitFor(async () => {
    const { body } = await account.call<Details>("GET", delivery);
    expect(body.data.attributes.attempts).toHaveLength(1);
  }, soon);
  const { attributes } = (await account.call<Details>("GET", delivery)).body.data;
  expect(attributes.body).toBe(received.body);
  const [attempt] = attributes.attempts;
  expect(attempt).toMatchObject({
    request: { url: receiver.url },
    status_code: 200,
    response_body: "thanks",
    response_headers: { "x-trace": "7" },
    addresses: ["127.0.0.1"],
    timings: {
      dns_ms: expect.any(Number),
      connect_ms: expect.any(Number),
      tls_ms: null,
      first_byte_ms: expect.any(Number),
    },
  });
  expect(attempt?.request.headers).toMatchObject({
    "x-parley-signature": signatureOf(received, secret),
    "x-parley-timestamp": header(received, "x-parley-timestamp"),
    "x-key": "[redacted]",
  });
});
