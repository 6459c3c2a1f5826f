import { beforeAll, describe, expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";
import { sendRaw } from "../src/testing/raw-http.ts";

const api = useApi();
let tenant: Tenant;
const json = { "content-type": "application/json" };

beforeAll(async () => {
  tenant = await createTenant(api.db);
});

async function post(path: string, body: BodyInit | null, headers: Record<string, string>) {
  const response = await api.fetch(`${api.url}${path}`, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${tenant.token}`, ...headers },
  });
  return {
    status: response.status,
    body: (await response.json()) as { error: string; error_description: string },
  };
}

describe("rejected requests have an error body", () => {
  test.each([
    ["malformed JSON", "{", json, 400, "The body is not valid JSON."],
    ["no body", null, json, 400, "body is required"],
    ["a body that is no object", "[]", json, 400, "body must be an object"],
    ["null", "null", json, 400, "body is required"],
    [
      "a content type that the operation does not take",
      "a=b",
      { "content-type": "application/x-www-form-urlencoded" },
      415,
      "Content-Type must be application/json.",
    ],
    ["an unknown content type", "<a/>", { "content-type": "application/xml" }, 415, "Content-Type"],
    ["no content type", new Uint8Array([123, 125]), {}, 415, "Content-Type"],
    ["a body over 1 MiB", `{"a":"${"x".repeat(1024 * 1024)}"}`, json, 413, "1 MiB"],
    [
      "an unknown field",
      '{"chatbot_id":"x","contact":{},"colour":"blue"}',
      json,
      400,
      "body/colour is not a known field",
    ],
    [
      "an unknown nested field",
      '{"chatbot_id":"01928c5e-7a10-7c44-8d21-0b6de2f0a001","contact":{"fax":"1"}}',
      json,
      400,
      "body/contact/fax is not a known field",
    ],
    ["a missing field", '{"contact":{}}', json, 400, "body/chatbot_id is required"],
    [
      "a number as text",
      '{"chatbot_id":"01928c5e-7a10-7c44-8d21-0b6de2f0a001","contact":{},"score":"5"}',
      json,
      400,
      "body/score must be an integer from 0 to 100",
    ],
    [
      "a NUL character",
      '{"chatbot_id":"01928c5e-7a10-7c44-8d21-0b6de2f0a001","contact":{"name":"a\\u0000b"}}',
      json,
      400,
      "body/contact/name must not contain a NUL character",
    ],
    [
      "half a surrogate pair",
      '{"chatbot_id":"01928c5e-7a10-7c44-8d21-0b6de2f0a001","contact":{},"qualification":{"a":"\\ud800"}}',
      json,
      400,
      "body/qualification/a must not contain a NUL",
    ],
    [
      "an e-mail address that is none",
      '{"chatbot_id":"01928c5e-7a10-7c44-8d21-0b6de2f0a001","contact":{"email":"ada"}}',
      json,
      400,
      "body/contact/email must be an email address",
    ],
    [
      "another organization's chatbot",
      '{"chatbot_id":"01928c5e-7a10-7c44-8d21-0b6de2f0a001","contact":{}}',
      json,
      400,
      "body/chatbot_id must be the ID of a chatbot of the organization",
    ],
    [
      "a poisoned prototype",
      '{"__proto__":{"a":1},"chatbot_id":"x","contact":{}}',
      json,
      400,
      "The body contains the key __proto__, which is not allowed.",
    ],
    [
      "bytes that are no UTF-8",
      new Uint8Array([123, 34, 255, 254, 34, 125]),
      json,
      400,
      "The body is not valid UTF-8.",
    ],
    ["another charset", "{}", { "content-type": "application/json; charset=iso-8859-1" }, 415, "Send UTF-8"],
    ["a compressed body", "{}", { ...json, "content-encoding": "gzip" }, 415, "Content-Encoding gzip"],
    [
      "a body that is nested without end",
      `{"a":${"[".repeat(30_001)}${"]".repeat(30_001)}}`,
      json,
      400,
      "The body must not have more than 30,000 values.",
    ],
    [
      "a field that is nested deep",
      `{"chatbot_id":"01928c5e-7a10-7c44-8d21-0b6de2f0a001","contact":{},"qualification":{"a":${"[".repeat(40)}${"]".repeat(40)}}}`,
      json,
      400,
      "body/qualification/a/0/0/0/",
    ],
    [
      "values that are only many in texts",
      JSON.stringify({ chatbot_id: "x", contact: {}, source: '[,{\\"'.repeat(60_000) }),
      json,
      400,
      "body/chatbot_id must be a UUID",
    ],
  ])("%s", async (_name, body, headers, status, message) => {
    const response = await post("/api/v1/leads", body, headers as Record<string, string>);
    expect(response.body.error_description).toContain(message);
    expect(response).toMatchObject({ status, body: { error: "invalid_request" } });
    expect(await api.db.lead.count()).toBe(0);
    expect(await api.db.event.count()).toBe(0);
  });

  test("unknown routes and methods", async () => {
    const nowhere = await as(api, tenant)("GET", "/api/v1/unicorns");
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toEqual({
      error: "not_found",
      error_description: "No route matches GET /api/v1/unicorns.",
    });

    const wrongMethod = await as(api, tenant)("PUT", "/api/v1/leads", {});
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get("allow")).toBe("GET, POST");
    expect(await wrongMethod.json()).toMatchObject({ error: "invalid_request" });

    const undecodable = await api.fetch(`${api.url}/api/v1/leads/%E0%A4%A`);
    expect(undecodable.status).toBe(400);
    expect(undecodable.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("malformed HTTP", async () => {
    const [response] = await sendRaw(api.url, "NONSENSE\r\n\r\n");
    expect(response?.status).toBe(400);
    expect(response?.body).toBe(
      '{"error":"invalid_request","error_description":"The request method is unknown. Use an HTTP method such as GET or POST."}',
    );
  });

  test.each([
    ["Basic abc", "unauthorized"],
    ["Bearer", "unauthorized"],
    ["Bearer  two words", "unauthorized"],
    ["Bearer parley_at_unknown", "invalid_token"],
  ])("Authorization: %s", async (authorization, error) => {
    const response = await api.fetch(`${api.url}/api/v1/leads`, { headers: { authorization } });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="parley"/);
    expect(await response.json()).toMatchObject({ error });
  });

  test("ignores a token in the query", async () => {
    const response = await api.fetch(`${api.url}/api/v1/leads?access_token=${tenant.token}`);
    expect(response.status).toBe(401);
  });
});

test("accepts a JSON content type without a body for operations without a body", async () => {
  const created = await post(
    "/api/v1/webhooks/subscribe",
    JSON.stringify({ target_url: "https://example.com/", event_types: ["lead.created"] }),
    json,
  );
  const { id } = (created.body as unknown as { data: { id: string } }).data;
  const response = await api.fetch(`${api.url}/api/v1/webhooks/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${tenant.token}`, ...json },
  });
  expect(response.status).toBe(200);
});

test("uses the caller's request ID if it is safe to log", async () => {
  const send = async (id: string) => {
    const response = await api.fetch(`${api.url}/healthz`, { headers: { "x-request-id": id } });
    return response.headers.get("x-request-id");
  };
  expect(await send("order-42_a.b")).toBe("order-42_a.b");
  expect(await send("a b")).toMatch(/^[0-9a-f-]{36}$/);
  expect(await send("x".repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
  expect(await send(tenant.token)).toMatch(/^[0-9a-f-]{36}$/);
});

test.each(["/docs/%2e%2e/%2e%2e/package.json", "/docs//openapi.json"])(
  "returns 404 for %s: the reference is served by canonical paths within its folder",
  async (path) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const [response] = await sendRaw(api.url, request);
    expect(response?.status).toBe(404);
    expect(JSON.parse(response?.body ?? "")).toMatchObject({ error: "not_found" });
  },
);

test("checks the token of a HEAD request like the token of a GET request", async () => {
  const head = (headers = {}) => api.fetch(`${api.url}/api/v1/leads`, { method: "HEAD", headers });
  expect((await head()).status).toBe(401);
  expect((await head({ authorization: `Bearer ${tenant.token}` })).status).toBe(200);
});
