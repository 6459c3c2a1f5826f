import { hashToken } from "@parley/database";
import { setPlan } from "@parley/database/accounts";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { soon } from "./receiving.ts";
import { type Account, demoClient, type Service, sharedService } from "./service.ts";

// Requests, responses, the Authorization header, scopes, plans, errors and the version.

let service: Service;
let account: Account;
let subscriptionId: string;
/** A token with this scope only, for rows about a missing scope. */
let meetingsOnly: string;
let leadsOnly: string;
let free: Account;
beforeAll(async () => {
  service = await sharedService();
  account = await service.createAccount("business");
  free = await service.createAccount("free");
  meetingsOnly = (await account.tokens("meetings:read")).access_token;
  leadsOnly = (await account.tokens("leads:read")).access_token;
  subscriptionId = (await account.call("POST", "/api/v1/webhooks/subscribe", subscription)).body.data.id;
});

const subscription = { target_url: "https://hooks.example.com/parley", event_types: ["lead.created"] };
const error = (code: string) => ({ error: code, error_description: expect.stringMatching(/\S \S/) });
const noSubscription = "/api/v1/webhooks/01928c60-11f2-7b8e-a3c4-5d6e7f809102";

/** Requests of the API with the scope that each requires. */
const requests: [method: string, path: string, scope: string | null, body?: object][] = [
  ["GET", "/api/v1/chatbots", null],
  ["GET", "/api/v1/leads", "leads:read"],
  ["GET", "/api/v1/tickets", "tickets:read"],
  ["GET", "/api/v1/meetings", "meetings:read"],
  ["POST", "/api/v1/webhooks/subscribe", "webhooks:manage", subscription],
  ["GET", "/api/v1/webhooks", "webhooks:manage"],
  ["GET", "/api/v1/webhooks/{id}", "webhooks:manage"],
  ["DELETE", "/api/v1/webhooks/{id}", "webhooks:manage"],
];
const withId = (path: string) => path.replace("{id}", subscriptionId);

describe("responses", () => {
  test.each([
    ["GET", "/api/v1/chatbots"],
    ["GET", "/api/v1/leads"],
    ["GET", "/api/v1/tickets"],
    ["GET", "/api/v1/meetings"],
  ])(
    "%s %s: data is an array; meta has api_version, total, limit, offset, has_more, count, next_cursor",
    async (...request) => {
      const { status, headers, body } = await account.call(...request);
      expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(body).toEqual({
        data: expect.any(Array),
        meta: {
          api_version: "2024-01-01",
          total: expect.any(Number),
          limit: expect.any(Number),
          offset: 0,
          has_more: false,
          count: expect.any(Number),
          next_cursor: null,
        },
      });
    },
  );

  test("GET /api/v1/webhooks: meta has api_version, total and count, and nothing else", async () => {
    const { status, body } = await account.call("GET", "/api/v1/webhooks");
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [expect.any(Object)],
      meta: { api_version: "2024-01-01", total: 1, count: 1 },
    });
  });

  test.each<[method: string, path: string, body?: object]>([
    ["POST", "/api/v1/webhooks/subscribe", subscription],
    ["GET", "/api/v1/webhooks/{id}"],
    ["DELETE", "/api/v1/webhooks/{id}"],
  ])("%s %s: data is one object; meta has api_version", async (method, path, body) => {
    const { id } = (await account.call("POST", "/api/v1/webhooks/subscribe", subscription)).body.data;
    const response = await account.call(method, path.replace("{id}", id), body);
    expect(response.status).toBe(method === "POST" ? 201 : 200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.body).toEqual({ data: expect.any(Object), meta: { api_version: "2024-01-01" } });
    expect(response.body.data).not.toBeInstanceOf(Array);
  });
});

describe("versions", () => {
  test.each(["/api/v2/chatbots", "/api/chatbots", "/chatbots", "/v1/chatbots"])(
    "every path of the API begins with /api/v1: %s is 404 not_found",
    async (path) => {
      const { status, body } = await account.call("GET", path);
      expect([status, body]).toEqual([404, error("not_found")]);
    },
  );

  test("the version is 2024-01-01 even if a request asks for another version", async () => {
    const token = (await account.tokens()).access_token;
    for (const headers of [{}, { "parley-version": "2030-01-01" }, { "api-version": "2030-01-01" }]) {
      const { body } = await service.send("GET", "/api/v1/chatbots", { token, headers });
      expect(body.meta["api_version"]).toBe("2024-01-01");
    }
  });
});

describe("the Authorization header", () => {
  test.each(requests)("%s %s without it is 401 unauthorized", async (method, path, _scope, body) => {
    const response = await service.send(method, withId(path), { body });
    expect([response.status, response.body]).toEqual([401, error("unauthorized")]);
  });

  test.each(["Basic ZGVtbzpkZW1v", "Bearer", "Bearer two words", "Token parley_at_x", "parley_at_x"])(
    "a malformed one is 401 unauthorized: %s",
    async (authorization) => {
      const { status, body } = await service.send("GET", "/api/v1/leads", { headers: { authorization } });
      expect([status, body]).toEqual([401, error("unauthorized")]);
    },
  );

  test.each(requests)(
    "%s %s with an unknown token is 401 invalid_token",
    async (method, path, _scope, body) => {
      const response = await service.send(method, withId(path), { token: "parley_at_unknown", body });
      expect([response.status, response.body]).toEqual([401, error("invalid_token")]);
    },
  );

  test("an access token works for 1 hour (its row is moved back by 59 minutes)", async () => {
    const token = await agedToken(59);
    expect((await service.send("GET", "/api/v1/leads", { token })).status).toBe(200);
  });

  test("an expired access token is 401 invalid_token (its row is moved back by 1 hour)", async () => {
    const token = await agedToken(60);
    const { status, body } = await service.send("GET", "/api/v1/leads", { token });
    expect([status, body]).toEqual([401, error("invalid_token")]);
  });

  test("a revoked access token is 401 invalid_token", async () => {
    const { access_token: token } = await account.tokens();
    expect((await service.send("GET", "/api/v1/leads", { token })).status).toBe(200);
    await service.send("POST", "/api/oauth/revoke", { body: { token, ...demoClient } });
    await vi.waitFor(async () => {
      const { status, body } = await service.send("GET", "/api/v1/leads", { token });
      expect([status, body]).toEqual([401, error("invalid_token")]);
    }, soon);
  });

  test("a refresh token is not an access token: 401 invalid_token", async () => {
    const { refresh_token: token } = await account.tokens();
    const { status, body } = await service.send("GET", "/api/v1/leads", { token });
    expect([status, body]).toEqual([401, error("invalid_token")]);
  });

  /** Returns an unused token that was issued a number of minutes ago. */
  async function agedToken(minutes: number): Promise<string> {
    const { access_token: token } = await account.tokens();
    const moved = await service.db.$executeRaw`
      UPDATE oauth_tokens SET expires_at = expires_at - make_interval(mins => ${minutes})
      WHERE token_hash = ${hashToken(token)}`;
    expect(moved).toBe(1);
    return token;
  }
});

describe("scopes", () => {
  test.each(requests.filter(([, , scope]) => scope !== null))(
    "%s %s without the scope %s is 403 insufficient_scope",
    async (method, path, scope, body) => {
      const token = scope === "meetings:read" ? leadsOnly : meetingsOnly;
      const response = await service.send(method, withId(path), { token, body });
      expect([response.status, response.body]).toEqual([403, error("insufficient_scope")]);
    },
  );

  test.each(requests.filter(([method, , scope]) => method !== "DELETE" && scope !== null))(
    "%s %s needs only the scope %s",
    async (method, path, scope, body) => {
      const { access_token: token } = await account.tokens(scope ?? "");
      const response = await service.send(method, withId(path), { token, body });
      expect(response.status).toBe(method === "POST" ? 201 : 200);
    },
  );

  test("DELETE /api/v1/webhooks/{id} needs only the scope webhooks:manage", async () => {
    const { id } = (await account.call("POST", "/api/v1/webhooks/subscribe", subscription)).body.data;
    const { access_token: token } = await account.tokens("webhooks:manage");
    expect((await service.send("DELETE", `/api/v1/webhooks/${id}`, { token })).status).toBe(200);
  });

  test("GET /api/v1/chatbots needs no scope: any valid token is accepted", async () => {
    expect((await service.send("GET", "/api/v1/chatbots", { token: meetingsOnly })).status).toBe(200);
  });

  test.each([
    ["leads:write", "/api/v1/leads", { contact: { name: "Ada Novak" } }],
    ["tickets:write", "/api/v1/tickets", { subject: "Cannot sign in" }],
    ["conversations:write", "/api/v1/conversations", {}],
  ])("%s is required for POST %s", async (scope, path, fields) => {
    const body = { chatbot_id: account.bot, ...fields };
    const other = scope.replace("write", "read");
    const refused = await service.send("POST", path, {
      token: (await account.tokens(other)).access_token,
      body,
    });
    expect([refused.status, refused.body]).toEqual([403, error("insufficient_scope")]);
    const taken = await service.send("POST", path, {
      token: (await account.tokens(scope)).access_token,
      body,
    });
    expect(taken.status).toBe(201);
  });

  test("conversations:read is required for GET /api/v1/conversations", async () => {
    const refused = await service.send("GET", "/api/v1/conversations", { token: meetingsOnly });
    expect([refused.status, refused.body]).toEqual([403, error("insufficient_scope")]);
    const { access_token: token } = await account.tokens("conversations:read");
    expect((await service.send("GET", "/api/v1/conversations", { token })).status).toBe(200);
  });
});

describe("plans", () => {
  test.each(requests)("%s %s on the Free plan is 403 plan_required", async (method, path, _scope, body) => {
    const response = await free.call(method, withId(path), body);
    expect([response.status, response.body]).toEqual([403, error("plan_required")]);
  });

  test.each([
    ["free", 403],
    ["starter", 200],
    ["pro", 200],
    ["business", 200],
  ])("a plan counts from the next request on: %s is %i", async (plan, status) => {
    const changing = await service.createAccount(plan === "free" ? "starter" : "free");
    const before = await changing.call("GET", "/api/v1/chatbots");
    expect(before.status).toBe(plan === "free" ? 200 : 403);
    await setPlan(service.db, changing.organizationId, plan, {});
    await vi.waitFor(async () => {
      expect((await changing.call("GET", "/api/v1/chatbots")).status).toBe(status);
    }, soon);
  });
});

describe("errors have error and error_description, and no data", () => {
  test.each([
    ["400 invalid_request: validation failed", "GET", "/api/v1/leads?limit=0", 400, "invalid_request"],
    ["404 not_found: no such subscription", "GET", noSubscription, 404, "not_found"],
    ["404 not_found: no such subscription to delete", "DELETE", noSubscription, 404, "not_found"],
    ["404 not_found: no such path", "GET", "/api/v1/unicorns", 404, "not_found"],
    ["405 invalid_request: no such method", "PUT", "/api/v1/leads", 405, "invalid_request"],
  ])("%s", async (_statement, method, path, status, code) => {
    const response = await account.call(method, path);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect([response.status, response.body]).toEqual([status, error(code)]);
  });

  test("400 invalid_request: the body is not JSON", async () => {
    const { access_token: token } = await account.tokens();
    const response = await fetch(`${service.url}/api/v1/webhooks/subscribe`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{",
    });
    expect([response.status, await response.json()]).toEqual([400, error("invalid_request")]);
  });

  test("415 invalid_request: the body is not sent as application/json", async () => {
    const { access_token: token } = await account.tokens();
    const response = await fetch(`${service.url}/api/v1/webhooks/subscribe`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" },
      body: "target_url=https%3A%2F%2Fhooks.example.com&event_types=lead.created",
    });
    expect([response.status, await response.json()]).toEqual([415, error("invalid_request")]);
  });

  test("413 invalid_request: the body is larger than 1 MiB", async () => {
    const body = { ...subscription, target_url: "x".repeat(1_048_576) };
    const response = await account.call("POST", "/api/v1/webhooks/subscribe", body);
    expect([response.status, response.body]).toEqual([413, error("invalid_request")]);
  });

  test("500 server_error: an internal error (a renamed table) occurs, and the response shows no details", async () => {
    await service.db.$executeRaw`ALTER TABLE meetings RENAME TO meetings_away`;
    const { status, body } = await account.call("GET", "/api/v1/meetings");
    await service.db.$executeRaw`ALTER TABLE meetings_away RENAME TO meetings`;
    expect([status, body]).toEqual([500, error("server_error")]);
    expect(body.error_description).not.toMatch(/meetings|relation|sql/i);
    expect((await account.call("GET", "/api/v1/meetings")).status).toBe(200);
  });
});
