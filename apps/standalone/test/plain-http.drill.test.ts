import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startScript } from "./spawned.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.release());

test.each([
  ["http://parley.example.com", true],
  ["http://127.0.0.1.example.com", true],
  ["http://localhost:8080", false],
  ["https://parley.example.com", false],
])(
  "logs a warning about a public address without TLS, except on this machine: %s, %s",
  async (url, warned) => {
    const api = startScript("apps/api/src/main.mjs", {
      DATABASE_URL: database.url,
      PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
      PUBLIC_URL: url,
      PORT: "0",
      SHUTDOWN_DELAY_MS: "0",
    });
    await api.output(/Server listening at/);
    await api.stop();
    expect(
      api.text().includes(`PUBLIC_URL ${url} has no TLS: passwords and tokens are sent unencrypted`),
    ).toBe(warned);
  },
);

test("the API and the worker log a warning about connections that are not encrypted", async () => {
  const elsewhere = new URL(database.url);
  elsewhere.hostname = "0.0.0.0"; // This machine, but not a loopback address.
  const variables = {
    DATABASE_URL: elsewhere.href,
    REDIS_URL: "redis://:hunter2@0.0.0.0:9",
    PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    PORT: "0",
    SHUTDOWN_DELAY_MS: "0",
  };
  const api = startScript("apps/api/src/main.mjs", variables);
  const worker = startScript("apps/worker/src/main.mjs", variables);
  await Promise.all([api.output(/Server listening at/), worker.output(/delivery worker started/)]);
  await Promise.all([api.stop(), worker.stop()]);
  const aboutDatabase = "connection to the database at 0.0.0.0 (DATABASE_URL) is not encrypted";
  expect(api.text()).toContain(aboutDatabase);
  expect(worker.text()).toContain(aboutDatabase);
  expect(api.text()).toContain("connection to Redis at 0.0.0.0:9 (REDIS_URL) is not encrypted");
  expect(api.text()).not.toContain("hunter2");
});
