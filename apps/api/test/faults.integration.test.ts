import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conformingFetch } from "@parley/contract/testing";
import { applyMigrations, createDatabase } from "@parley/database";
import { startPostgres } from "@parley/embedded-postgres";
import { expect, test, vi } from "vitest";
import { buildApp } from "../src/app.ts";
import { apiConfig } from "../src/config.ts";
import { as } from "../src/testing/api-server.ts";
import { createTenant } from "../src/testing/factories.ts";

test("responds with 503 while the database is unavailable, and recovers afterwards", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-faults-"));
  const first = await startPostgres({ dataDir, durable: false });
  const port = Number(new URL(first.url).port);
  await applyMigrations(first.url);
  const app = await buildApp(
    apiConfig.parse({
      DATABASE_URL: first.url,
      PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
      SHUTDOWN_DELAY_MS: "0",
      LOG_LEVEL: "silent",
    }),
  );
  const api = { url: await app.listen({ port: 0, host: "127.0.0.1" }), fetch: conformingFetch() };
  const db = createDatabase(first.url);
  const tenant = await createTenant(db);
  await db.$disconnect();
  const call = as(api, tenant);
  expect((await call("GET", "/api/v1/leads")).status).toBe(200);

  await first.stop();
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

  const second = await startPostgres({ dataDir, port, durable: false });
  await vi.waitFor(async () => expect((await call("GET", "/readyz")).status).toBe(200), { timeout: 10_000 });
  expect((await call("GET", "/api/v1/leads")).status).toBe(200);
  await app.close();
  await second.stop();
});
