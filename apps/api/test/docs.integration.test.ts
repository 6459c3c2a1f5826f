import { expect, test } from "vitest";
import { startApi, useApi } from "../src/testing/api-server.ts";

const api = useApi();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/docs/${path}`, { headers, redirect: "manual" });

test("serves pages without their extension, with the address of this server", async () => {
  const response = await get("api/list-leads", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": expect.stringContaining(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
    vary: "accept, accept-encoding",
  });
  const text = await response.text();
  expect(text).toContain("<h1>");
  expect(text).toContain(`${api.url}/api/v1/leads`);
  expect(text).not.toContain("127.0.0.1:8080");
});

test.each([
  ["guides/lists.md", "*/*"],
  ["guides/lists", "text/markdown"],
  ["guides/lists", "text/markdown, text/html;q=0.9, */*;q=0.1"],
])("serves /docs/%s with Accept: %s as Markdown", async (path, accept) => {
  const response = await get(path, { accept });
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(await response.text()).toMatch(/^# List and sync records\n/);
});

test("serves the home page, and redirects to addresses without a slash at the end", async () => {
  expect(await (await get("")).text()).toContain("<title>Parley API reference</title>");
  const home = await fetch(`${api.url}/docs`, { redirect: "manual" });
  expect([home.status, home.headers.get("location")]).toEqual([302, "/docs/"]);
  const response = await get("guides/lists/");
  expect([response.status, response.headers.get("location")]).toEqual([308, "/docs/guides/lists"]);
});

test.each([
  ["llms.txt", "text/plain; charset=utf-8"],
  ["llms-full.txt", "text/plain; charset=utf-8"],
  ["sitemap.xml", "application/xml; charset=utf-8"],
  ["search.json", "application/json; charset=utf-8"],
  ["openapi.json", "application/json; charset=utf-8"],
  ["openapi.yaml", "application/yaml; charset=utf-8"],
  ["first-webhook.arazzo.yaml", "application/yaml; charset=utf-8"],
  ["reference/", "text/html; charset=utf-8"],
  ["diagrams/delivery.svg", "image/svg+xml"],
  ["reference/diagrams/delivery.svg", "image/svg+xml"],
])("serves /docs/%s", async (path, type) => {
  const response = await get(path);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
  expect(await response.text()).not.toContain("127.0.0.1:8080");
});

test.each(["openapi.json", "openapi.yaml", "first-webhook.arazzo.yaml", "signature-test-vectors.json"])(
  "the download %s of the reference on one page has the address of this server",
  async (name) => {
    const response = await fetch(`${api.url}/docs/reference/${name}`);
    expect([response.status, response.url]).toEqual([200, `${api.url}/docs/${name}`]);
    expect(await response.text()).not.toContain("127.0.0.1:8080");
  },
);

test("serves scripts and styles that browsers keep, under names that change with their content", async () => {
  const page = await (await get("")).text();
  const [, stylesheet = ""] = /<link rel="stylesheet" href="([^"]+)">/.exec(page) ?? [];
  expect(stylesheet).toMatch(/^\/docs\/assets\/[\da-f]{12}\/site\.css$/);
  const response = await fetch(api.url + stylesheet);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(response.headers.get("content-type")).toBe("text/css; charset=utf-8");
});

test("lets a standalone diagram use its styles, and nothing else", async () => {
  const { headers } = await get("diagrams/delivery.svg");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'unsafe-inline'");
});

test("compresses, and answers 304 to a page that the browser has", async () => {
  for (const encoding of ["br", "gzip"]) {
    const response = await get("guides/errors", { "accept-encoding": encoding });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(await response.text()).toContain("Error codes");
  }
  const plain = await get("guides/errors", { "accept-encoding": "identity" });
  expect(plain.headers.get("content-encoding")).toBeNull();
  const again = await get("guides/errors", { "if-none-match": plain.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
});

test.each([
  "unknown",
  "guides",
  "..%2fpackage.json",
  "%2e%2e/%2e%2e/package.json",
  "index.html",
  "assets/none.css",
  "reference/none.js",
])("answers 404 for /docs/%s", async (path) => {
  const response = await get(path);
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([404, "not_found"]);
});

test("shows a page with status 404 to browsers", async () => {
  const response = await get("unknown", { accept: "text/html,*/*;q=0.8" });
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining("Page not found")]);
});

test("has no client for requests by default, and passes the client of the configuration to the pages", async () => {
  expect(await (await get("api/list-leads")).text()).toContain('data-try-it-client="off"');
  const other = await startApi({ DOCS_CLIENT_ID: "parley_ci_docs" });
  try {
    const page = await (await fetch(`${other.url}/docs/api/list-leads`)).text();
    expect(page).toContain('data-try-it-client="parley_ci_docs"');
  } finally {
    await other.close();
  }
});

test("serves the page to which readers are redirected after they sign in, only as HTML", async () => {
  const response = await get("signed-in?code=parley_ac_x&state=y", { accept: "text/markdown" });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).not.toContain("parley_ac_x");
});
