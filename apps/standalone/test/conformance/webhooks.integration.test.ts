import { beforeAll, describe, expect, test } from "vitest";
import { everyType } from "./receiving.ts";
import { type Account, type Service, sharedService, timestamp } from "./service.ts";

// POST /api/v1/webhooks/subscribe, GET /api/v1/webhooks, GET, PATCH and DELETE /api/v1/webhooks/{id}.

interface Subscription {
  id: string;
  secret: string;
}

const path = "/api/v1/webhooks";
const unknownId = "01928c60-11f2-7b8e-a3c4-5d6e7f809102";
const wanted = {
  target_url: "https://hooks.example.com/parley",
  event_types: ["lead.created", "lead.qualified"],
};
const error = (code: string) => ({ error: code, error_description: expect.stringMatching(/\S \S/) });

let service: Service;
let account: Account;
let other: Account;
beforeAll(async () => {
  service = await sharedService();
  account = await service.createAccount("business");
  other = await service.createAccount("business");
});

const subscribe = (body: object) => account.call<Subscription>("POST", `${path}/subscribe`, body);

/** Subscription in the format of lists. */
const listed = ({ id }: Subscription, changes: object = {}) => ({
  id,
  ...wanted,
  filters: {},
  status: "active",
  failure_count: 0,
  created_at: timestamp,
  updated_at: timestamp,
  ...changes,
});

describe("subscribing", () => {
  test("returns id, target_url, event_types, filters, status, secret and created_at, and meta.api_version", async () => {
    const { status, body } = await subscribe(wanted);
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...wanted,
        filters: {},
        status: "active",
        secret: expect.stringMatching(/^parley_ws_[\w-]{43}$/),
        created_at: timestamp,
      },
      meta: { api_version: "2024-01-01" },
    });
  });

  test("each subscription has its own ID and secret", async () => {
    const both = [await subscribe(wanted), await subscribe(wanted)].map(({ body }) => body.data);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
    expect(new Set(both.map(({ secret }) => secret)).size).toBe(2);
  });

  test("filters is returned as it was sent, and may be an empty object", async () => {
    const filters = { chatbot_id: account.bot };
    expect((await subscribe({ ...wanted, filters })).body.data).toMatchObject({ filters });
    const empty = await subscribe({ ...wanted, filters: {} });
    expect(empty.body.data).toEqual({ ...empty.body.data, filters: {} });
  });

  test.each(everyType)("%s can be subscribed to", async (type) => {
    const { status, body } = await subscribe({ ...wanted, event_types: [type] });
    expect([status, body.data]).toMatchObject([201, { event_types: [type] }]);
    await account.call("DELETE", `${path}/${body.data.id}`);
  });

  test.each([
    ["target_url is missing", { target_url: undefined }],
    ["target_url is not HTTPS", { target_url: "http://hooks.example.com/parley" }],
    ["target_url has another scheme", { target_url: "ftp://hooks.example.com/parley" }],
    ["target_url is not a URL", { target_url: "hooks.example.com" }],
    ["target_url is a number", { target_url: 5 }],
    ["target_url points to a private network", { target_url: "https://10.0.0.1/parley" }],
    [
      "target_url has more than 2,048 characters",
      { target_url: `https://hooks.example.com/${"x".repeat(2_023)}` },
    ],
    ["event_types is missing", { event_types: undefined }],
    ["event_types is empty", { event_types: [] }],
    ["event_types is a string", { event_types: "lead.created" }],
    ["event_types has an unknown type", { event_types: ["lead.created", "lead.deleted"] }],
    ["event_types has a pattern", { event_types: ["lead.*"] }],
    ["filters is not an object", { filters: "chatbot_id" }],
    ["filters.chatbot_id is not a string", { filters: { chatbot_id: 5 } }],
    ["filters has another key", { filters: { score: "70" } }],
    ["the body has another field", { secret: "parley_ws_mine" }],
  ])("%s: 400 invalid_request, and nothing is created", async (statement, changes) => {
    const before = (await account.call("GET", path)).body.meta;
    const { status, body } = await subscribe({ ...wanted, ...changes });
    expect([status, body]).toEqual([400, error("invalid_request")]);
    const field = /^the body/.test(statement) ? "secret" : statement.split(/[ .]/)[0];
    expect(body.error_description).toContain(field);
    expect((await account.call("GET", path)).body.meta).toEqual(before);
  });

  test("target_url may have 2,048 characters", async () => {
    const target_url = `https://hooks.example.com/${"x".repeat(2_022)}`;
    expect(target_url).toHaveLength(2_048);
    expect((await subscribe({ ...wanted, target_url })).status).toBe(201);
  });
});

describe("listing", () => {
  test("returns all 100 subscriptions that an organization may have on one page, without the secret; the next one is 400", async () => {
    const other = await service.createAccount("business");
    const more = () => other.call<Subscription>("POST", `${path}/subscribe`, wanted);
    const created: Subscription[] = [];
    for (let i = 0; i < 100; i += 1) created.unshift((await more()).body.data);
    const refused = await more();
    expect([refused.status, refused.body]).toEqual([400, error("invalid_request")]);
    const { status, body } = await other.call<Subscription[]>("GET", path);
    expect(status).toBe(200);
    expect(body.meta).toEqual({ api_version: "2024-01-01", total: 100, count: 100 });
    expect(body.data).toMatchObject(created.map((one) => listed(one)));
    expect(JSON.stringify(body)).not.toContain("parley_ws_");
  });

  test("returns only the subscriptions of the organization", async () => {
    const empty = await service.createAccount("business");
    const { body } = await empty.call("GET", path);
    expect(body).toEqual({ data: [], meta: { api_version: "2024-01-01", total: 0, count: 0 } });
  });
});

describe("reading one", () => {
  test("returns the subscription as the list does, without the secret", async () => {
    const created = (await subscribe({ ...wanted, filters: { chatbot_id: account.bot } })).body.data;
    const { status, body } = await account.call("GET", `${path}/${created.id}`);
    expect([status, body.meta]).toEqual([200, { api_version: "2024-01-01" }]);
    expect(body.data).toMatchObject(listed(created, { filters: { chatbot_id: account.bot } }));
    const list = (await account.call<Subscription[]>("GET", path)).body.data;
    expect(list.find(({ id }) => id === created.id)).toEqual(body.data);
    expect(JSON.stringify(body)).not.toContain("parley_ws_");
  });

  test.each([unknownId, "unknown"])("an unknown id is 404 not_found: %s", async (id) => {
    const { status, body } = await account.call("GET", `${path}/${id}`);
    expect([status, body]).toEqual([404, error("not_found")]);
  });
});

test("the secret is never returned again: not by GET, PATCH, resume or DELETE", async () => {
  const { id, secret } = (await subscribe(wanted)).body.data;
  const responses = [
    await account.call("GET", path),
    await account.call("GET", `${path}/${id}`),
    await account.call("PATCH", `${path}/${id}`, { event_types: ["lead.created"] }),
    await account.call("POST", `${path}/${id}/resume`),
    await account.call("DELETE", `${path}/${id}`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(secret).toHaveLength(53);
  for (const { body } of responses) expect(JSON.stringify(body)).not.toContain(secret.slice(10));
});

describe("deleting", () => {
  test("returns the id and deleted true; then every request for it is 404 not_found", async () => {
    const { id } = (await subscribe(wanted)).body.data;
    const { status, body } = await account.call("DELETE", `${path}/${id}`);
    expect([status, body]).toEqual([
      200,
      { data: { id, deleted: true }, meta: { api_version: "2024-01-01" } },
    ]);

    expect((await account.call("GET", `${path}/${id}`)).status).toBe(404);
    const list = (await account.call<Subscription[]>("GET", path)).body.data;
    expect(list.map((one) => one.id)).not.toContain(id);
    const again = await account.call("DELETE", `${path}/${id}`);
    expect([again.status, again.body]).toEqual([404, error("not_found")]);
  });

  test.each([unknownId, "unknown"])("an unknown id is 404 not_found: %s", async (id) => {
    const { status, body } = await account.call("DELETE", `${path}/${id}`);
    expect([status, body]).toEqual([404, error("not_found")]);
  });
});

test.each(["GET", "PATCH", "DELETE"])(
  "a subscription of another organization is 404 not_found: %s",
  async (method) => {
    const { id } = (await subscribe(wanted)).body.data;
    const change = method === "PATCH" ? { event_types: ["lead.created"] } : undefined;
    const { status, body } = await other.call(method, `${path}/${id}`, change);
    expect([status, body]).toEqual([404, error("not_found")]);
    expect((await account.call("GET", `${path}/${id}`)).status).toBe(200);
  },
);
