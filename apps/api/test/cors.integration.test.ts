import { beforeAll, describe, expect, test } from "vitest";
import { useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const api = useApi();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant(api.db, { plan: "starter" });
});

const origin = "https://app.example.com";
const corsHeaders = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"));

/** Sends a preflight with plain fetch, because it is no operation of the contract. */
function preflight(path: string, method = "POST", asked = "authorization,content-type"): Promise<Response> {
  const headers = {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": asked,
  };
  return fetch(api.url + path, { method: "OPTIONS", headers });
}

describe("a page of another origin can call", () => {
  test.each([
    ["/api/oauth/token", "POST"],
    ["/api/oauth/revoke", "POST"],
    ["/.well-known/oauth-authorization-server", "GET"],
    ["/.well-known/parley/01928c5e-7000-7a11-8c33-1a2b3c4d5e6f/webhook-keys.json", "GET"],
    ["/api/v1/leads?limit=5", "GET"],
    ["/api/v1/webhooks/01928c5e-7a10-7c44-8d21-0b6de2f0a001", "PATCH"],
    ["/api/v1/webhooks/01928c5e-7a10-7c44-8d21-0b6de2f0a001", "DELETE"],
  ])("%s with %s", async (path, method) => {
    const response = await preflight(path, method);
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
    expect(response.headers.get("access-control-allow-headers")).toBe("authorization,content-type");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ["a success", "/api/v1/me", () => ({ authorization: `Bearer ${tenant.token}` }), 200],
    ["a refusal", "/api/v1/me", () => ({}), 401],
    ["a mistake", "/api/v1/leads?limit=0", () => ({ authorization: `Bearer ${tenant.token}` }), 400],
    ["an unknown path", "/api/v1/unicorns", () => ({}), 404],
  ])("and reads %s with its headers", async (_name, path, headers, status) => {
    const response = await api.fetch(api.url + path, { headers: { origin, ...headers() } });
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("access-control-expose-headers")?.toLowerCase().split(", ")).toEqual([
      "x-request-id",
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
      "ratelimit",
      "ratelimit-policy",
      "retry-after",
      "location",
      "www-authenticate",
      "idempotent-replayed",
    ]);
  });

  test("reads the error of the token endpoint", async () => {
    const response = await api.fetch(`${api.url}/api/oauth/token`, {
      method: "POST",
      headers: { origin },
      body: new URLSearchParams({ grant_type: "x" }),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("a page of another origin cannot call", () => {
  test.each([
    "/api/oauth/authorize",
    "/api/oauth/authorize?next=/api/v1/leads",
    "/api/oauth/token/../authorize",
    "/api/platform/v1/organizations/01928c5e-7a10-7c44-8d21-0b6de2f0a001/batch",
    "/healthz",
    "/docs/",
    "/",
  ])("%s", async (path) => {
    const asked = await preflight(path, "POST");
    expect([404, 405]).toContain(asked.status);
    expect(corsHeaders(asked)).toEqual([]);
    const response = await fetch(api.url + path, { headers: { origin }, redirect: "manual" });
    expect(corsHeaders(response)).toEqual([]);
  });
});

describe("a rejected OPTIONS request has an error body", () => {
  const json = { "content-type": "application/json" };
  test.each<[string, string, RequestInit, number, string]>([
    ["unknown path", "/nowhere", {}, 404, "not_found"],
    ["method that the path does not have", "/healthz", {}, 405, "invalid_request"],
    ["path that is not a valid URL", "/%E0%A4%A", {}, 400, "invalid_request"],
    ["compressed body", "/healthz", { headers: { "content-encoding": "gzip" } }, 415, "invalid_request"],
    ["malformed JSON", "/healthz", { headers: json, body: "{" }, 400, "invalid_request"],
    [
      "unknown content type",
      "/healthz",
      { headers: { "content-type": "application/xml" }, body: "<a/>" },
      415,
      "invalid_request",
    ],
    [
      "body over 1 MiB",
      "/healthz",
      { headers: json, body: `"${"x".repeat(1024 * 1024)}"` },
      413,
      "invalid_request",
    ],
  ])("%s", async (_name, path, init, status, error) => {
    const response = await fetch(api.url + path, { method: "OPTIONS", ...init });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error, error_description: expect.any(String) });
  });
});

test("preflights do not count toward the rate limit and are not limited", async () => {
  const responses = await Promise.all(Array.from({ length: 150 }, () => preflight("/api/v1/leads", "GET")));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204]));
  const fresh = await createTenant(api.db, { plan: "starter" });
  const headers = { authorization: `Bearer ${fresh.token}` };
  const response = await api.fetch(`${api.url}/api/v1/me`, { headers });
  expect(response.headers.get("x-ratelimit-remaining")).toBe("99");
});
