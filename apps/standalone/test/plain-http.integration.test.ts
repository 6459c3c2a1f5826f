import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProcess } from "./logged-process.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test.each([
  ["http://parley.example.com", true],
  ["http://127.0.0.1.example.com", true],
  ["http://localhost:8080", false],
  ["https://parley.example.com", false],
])(
  "logs a warning about a public address without TLS, except on this machine: %s, %s",
  async (url, warned) => {
    const api = startProcess("apps/api/src/main.mjs", {
      DATABASE_URL: database.url,
      PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
      PUBLIC_URL: url,
      PORT: "0",
      SHUTDOWN_DELAY_MS: "0",
    });
    await api.says(/Server listening at/);
    await api.end();
    expect(
      api.output().includes(`PUBLIC_URL ${url} has no TLS: passwords and tokens are sent unencrypted`),
    ).toBe(warned);
  },
  60_000,
);
