import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type TestApi } from "../../testing/api-server.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe("errors at paths of pages are HTML pages that cannot be framed or cached", () => {
  test.each([
    ["GET", "/account/apps/", {}, 404],
    ["GET", "/account/nothing", {}, 404],
    ["GET", "/account/clients/%ff", {}, 400],
    ["PUT", "/account/apps", {}, 405],
    ["POST", "/account/apps", { "content-type": "text/plain" }, 415],
    ["POST", "/account/apps", { "content-encoding": "gzip" }, 415],
    ["PUT", "/api/oauth/authorize", {}, 405],
    ["POST", "/api/oauth/authorize", { "content-type": "text/plain" }, 415],
    ["GET", "/api/oauth/authorize", {}, 400],
  ] as const)("%s %s %o: %i", async (method, path, headers, status) => {
    const body = method === "POST" ? "x" : null;
    const answer = await fetch(api.url + path, { method, headers, body });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await answer.text()).toContain("<h1>");
  });

  test.each(["/account", "/account/"])("%s redirects to the first page", async (path) => {
    const answer = await fetch(api.url + path, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/account/apps"]);
  });
});

test.each(["/accounts", "/api/oauth/authorized", "/api/v1/%ff"])(
  "errors at other paths are JSON: %s",
  async (path) => {
    const answer = await fetch(api.url + path);
    expect(Object.keys((await answer.json()) as object)).toEqual(["error", "error_description"]);
  },
);

test.each([
  ["GET", "token", {}, 405],
  ["PUT", "revoke", {}, 405],
  ["POST", "token", { "content-type": "text/plain" }, 415],
  ["POST", "token", { "content-encoding": "gzip" }, 415],
  ["GET", "nothing", {}, 404],
] as const)("nothing of OAuth is stored: %s %s %o: %i", async (method, path, headers, status) => {
  const body = method === "POST" ? "x" : null;
  const answer = await fetch(`${api.url}/api/oauth/${path}`, { method, headers, body });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([status, "no-store"]);
});
