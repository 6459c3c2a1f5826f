import { createTestDatabase } from "@parley/database/testing";
import { soon } from "@parley/webhooks/testing";
import { expect, test, vi } from "vitest";
import { as, startApi } from "../src/testing/api-server.ts";
import { startDatabaseProxy } from "../src/testing/database-proxy.ts";
import { createTenant } from "../src/testing/factories.ts";

test("responds with 503 while the database is unavailable, and recovers afterwards", async () => {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.url);
  const api = await startApi({ DATABASE_URL: proxy.url });
  const call = as(api, await createTenant(api.db));
  expect((await call("GET", "/api/v1/leads")).status).toBe(200);

  await proxy.disconnect();
  const form = {
    method: "POST",
    body: new URLSearchParams({ client_id: "x", client_secret: "y", token: "z" }),
  };
  for (const response of [
    await call("GET", "/api/v1/leads"),
    await call("GET", "/api/v1/me"),
    await call("GET", "/readyz"),
    await api.fetch(`${api.url}/api/oauth/revoke`, form),
  ]) {
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toEqual({
      error: "server_error",
      error_description: "The service is temporarily unavailable. Retry after 5 seconds.",
    });
  }
  expect((await call("GET", "/healthz")).status).toBe(200);
  for (const path of ["/api/oauth/authorize?client_id=x", "/console/apps"]) {
    const page = await api.fetch(api.url + path, { headers: { cookie: `parley_session=${"x".repeat(43)}` } });
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(await page.text()).toContain(`<a href="${path}">Back to the page</a>`);
  }

  await proxy.reconnect();
  await vi.waitFor(async () => expect((await call("GET", "/readyz")).status).toBe(200), soon);
  expect((await call("GET", "/api/v1/leads")).status).toBe(200);
  await api.close();
  await proxy.disconnect();
  await database.release();
});
