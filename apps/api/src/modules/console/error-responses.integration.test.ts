import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useApi } from "../../testing/api-server.ts";
import { type ConsoleFixture, startConsole } from "./testing/console.ts";
import { HtmlPage } from "./testing/html-page.ts";
import { startVisitor } from "./testing/visitor.ts";

const api = useApi();

describe("errors at paths of pages are HTML pages that cannot be framed or cached", () => {
  test.each([
    ["GET", "/console/apps/", {}, 404],
    ["GET", "/console/nothing", {}, 404],
    ["GET", "/console/clients/%ff", {}, 400],
    ["PUT", "/console/apps", {}, 405],
    ["POST", "/console/apps", { "content-type": "text/plain" }, 415],
    ["POST", "/console/apps", { "content-encoding": "gzip" }, 415],
    ["PUT", "/api/oauth/authorize", {}, 405],
    ["POST", "/api/oauth/authorize", { "content-type": "text/plain" }, 415],
    ["GET", "/api/oauth/authorize", {}, 400],
  ] as const)("%s %s %o: %i", async (method, path, headers, status) => {
    const body = method === "POST" ? "x" : null;
    const response = await fetch(api.url + path, { method, headers, body });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.text()).toContain("<h1>");
  });
});

test.each(["/consoles", "/api/oauth/authorized", "/api/v1/%ff"])(
  "errors at other paths are JSON: %s",
  async (path) => {
    const response = await fetch(api.url + path);
    expect(Object.keys((await response.json()) as object)).toEqual(["error", "error_description"]);
  },
);

test.each([
  ["GET", "token", {}, 405],
  ["PUT", "revoke", {}, 405],
  ["POST", "token", { "content-type": "text/plain" }, 415],
  ["POST", "token", { "content-encoding": "gzip" }, 415],
  ["GET", "nothing", {}, 404],
] as const)(
  "error responses of the OAuth endpoints have Cache-Control: no-store: %s %s %o: %i",
  async (method, path, headers, status) => {
    const body = method === "POST" ? "x" : null;
    const response = await fetch(`${api.url}/api/oauth/${path}`, { method, headers, body });
    expect([response.status, response.headers.get("cache-control")]).toEqual([status, "no-store"]);
  },
);

describe("errors of a signed-in person have the navigation of the console", () => {
  let fixture: ConsoleFixture;
  beforeAll(async () => {
    fixture = await startConsole();
  });
  afterAll(() => fixture.close());

  test.each([
    ["GET", "/console/webhooks/0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b", 404],
    ["GET", "/console/deliveries?status=unknown", 400],
    ["POST", "/console/webhooks/0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b", 403],
    ["POST", "/console/clients", 403],
  ] as const)("%s %s: %i", async (method, path, status) => {
    const visitor = await startVisitor(fixture, "member");
    const response =
      method === "GET"
        ? await visitor.browser.get(fixture.url + path)
        : await visitor.post(path, { action: path === "/console/clients" ? "create" : "delete" });
    const page = new HtmlPage(await response.text(), path, response.status);
    expect(page.status).toBe(status);
    expect(page.links).toContain("/console/webhooks");
    expect(page.text).toContain("Uma <User>");
    expect(page.html.match(/<h1>/g)).toHaveLength(1);
  });

  test("but not without a valid CSRF token", async () => {
    const visitor = await startVisitor(fixture);
    const path = "/console/clients";
    const response = await visitor.browser.post(fixture.url + path, {
      action: "create",
      csrf_token: "forged",
    });
    const page = new HtmlPage(await response.text(), path, response.status);
    expect([page.status, page.links]).toEqual([400, [path]]);
  });
});
