import { expect, test, vi } from "vitest";
import { errors, operations } from "../../src/generated/examples.ts";
import {
  NotFoundError,
  Parley,
  ParleyPlatform,
  RateLimitExceededError,
  ServerError,
} from "../../src/index.ts";
import { errorResponse, type FakeResponses, fakeFetch, responseExample } from "../../src/testing/index.ts";

const baseUrl = "https://parley.example.com/base";

function client(responses?: FakeResponses) {
  const fetch = fakeFetch(responses);
  return { fetch, parley: new Parley({ baseUrl, accessToken: "parley_at_0", fetch, maxRetries: 0 }) };
}

test("answers every operation with its example", async () => {
  const { fetch } = client();
  for (const [operation, { method, path, status, body }] of Object.entries(operations)) {
    const url = baseUrl + path.replace(/\{\w+\}/g, "id-1");
    const response = await fetch(new Request(url, { method }));
    expect([operation, response.status, await response.json()]).toEqual([operation, status, body]);
    expect(fetch.calls.at(-1)?.operation).toBe(operation);
  }
});

test("records the calls", async () => {
  const { fetch, parley } = client();
  await parley.leads.list({ status: "new", limit: 5 });
  await parley.webhooks.delivery("subscription 1", "delivery-1");
  await parley.tickets.create({ subject: "No invoice" });
  expect(fetch.calls).toMatchObject([
    { operation: "listLeads", method: "GET", path: "/base/api/v1/leads", body: undefined },
    { operation: "getWebhookDelivery", params: { id: "subscription 1", delivery_id: "delivery-1" } },
    { operation: "createTicket", method: "POST", body: { subject: "No invoice" } },
  ]);
  expect(Object.fromEntries(fetch.calls[0]?.query ?? [])).toEqual({ status: "new", limit: "5" });
  expect(fetch.calls[2]?.headers.get("authorization")).toBe("Bearer parley_at_0");
});

test("overrides values of an example", async () => {
  const { parley } = client({ getLead: { data: { attributes: { score: 91 } } } });
  const example = responseExample("getLead");
  const { data } = await parley.leads.get("lead-1");
  expect(data).toEqual({ ...example.data, attributes: { ...example.data.attributes, score: 91 } });
});

test("passes the call to a function, and responds in the order of an array", async () => {
  const { parley } = client({
    getLead: ({ params: { id = "" } }) => ({ data: { id } }),
    getTicket: [errorResponse("server_error"), { data: { id: "second" } }, { data: { id: "last" } }],
  });
  expect((await parley.leads.get("lead-7")).data.id).toBe("lead-7");
  await expect(parley.tickets.get("t")).rejects.toThrow(ServerError);
  expect((await parley.tickets.get("t")).data.id).toBe("second");
  expect((await parley.tickets.get("t")).data.id).toBe("last");
  expect((await parley.tickets.get("t")).data.id).toBe("last");
});

test("ends a loop over a list after one page, unless the responses have more", async () => {
  const { data: lead } = responseExample("getLead");
  const page = (id: string, next_cursor: string | null) => ({
    data: [{ ...lead, id }],
    meta: { has_more: next_cursor !== null, next_cursor },
  });
  const ids = async (responses: FakeResponses) => {
    const read: string[] = [];
    for await (const { id } of client(responses).parley.leads.list()) read.push(id);
    return read;
  };
  expect(await ids({ listLeads: { data: [lead, lead] } })).toEqual([lead.id, lead.id]);
  expect(await ids({ listLeads: page("a", "next") })).toEqual(["a"]);
  expect(await ids({ listLeads: [page("a", "1"), page("b", "2"), page("c", null)] })).toEqual([
    "a",
    "b",
    "c",
  ]);
  expect(
    await ids({ listLeads: ({ query }) => (query.has("cursor") ? page("b", null) : page("a", "1")) }),
  ).toEqual(["a", "b"]);
});

test("lets a loop over the event feed wait", async () => {
  vi.useFakeTimers();
  try {
    const { parley, fetch } = client();
    const controller = new AbortController();
    const types: string[] = [];
    const loop = (async () => {
      const { signal } = controller;
      for await (const { type } of parley.events.follow({ since: "2026-01-01T00:00:00Z", signal }))
        types.push(type);
    })();
    loop.catch(() => {});
    await vi.advanceTimersByTimeAsync(20_000);
    expect([types, fetch.calls.length]).toEqual([["lead.created"], 2]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetch.calls.length).toBe(3);
    controller.abort(new Error("enough"));
    await expect(loop).rejects.toThrow("enough");
  } finally {
    vi.useRealTimers();
  }
});

test("returns the error of each code", async () => {
  const codes = Object.keys(errors) as Parameters<typeof errorResponse>[0][];
  expect(codes).toContain("unauthorized");
  for (const code of codes) {
    const { parley } = client({ getMe: errorResponse(code, { description: "Because." }) });
    await expect(parley.me()).rejects.toMatchObject({ code, description: "Because." });
  }
  const { parley } = client({ getLead: errorResponse("not_found") });
  await expect(parley.leads.get("a")).rejects.toThrow(NotFoundError);
  await expect(parley.leads.get("b")).rejects.toThrow(NotFoundError);
});

test("does not make a retry after a 429 wait", async () => {
  expect(errorResponse("rate_limit_exceeded").headers.get("retry-after")).toBe("0");
  const { parley } = client({ getMe: errorResponse("rate_limit_exceeded", { retryAfter: 40 }) });
  const error = await parley.me().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RateLimitExceededError);
  expect(error).toMatchObject({ retryAfter: 40 });
});

test("answers the Platform API", async () => {
  const fetch = fakeFetch();
  const platform = new ParleyPlatform({ baseUrl, platformKey: "key", fetch });
  await platform.organization("org-1").upsert("leads", "crm-4711", { chatbot_external_id: "bot" });
  expect(fetch.calls).toMatchObject([
    { operation: "upsertLead", params: { organization_id: "org-1", external_id: "crm-4711" } },
  ]);
});

test("throws a TypeError for an unknown operation or path", async () => {
  expect(() => fakeFetch({ getLaed: {} } as FakeResponses)).toThrow(/There is no example "getLaed"/);
  await expect(client().fetch(new Request(`${baseUrl}/api/v1/unknown`))).rejects.toThrow(
    "No operation has GET /base/api/v1/unknown.",
  );
});
