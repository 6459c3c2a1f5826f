import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connect } from "@parley/database";
import { createEmptyDatabase, type TestDatabase } from "@parley/database/testing";
import { createTenant } from "@parley/database/testing/tenant";
import { freePort } from "@parley/testing/free-port";
import { respondsOk, startServerProcess } from "@parley/testing/server-process";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterAll, beforeAll, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../../..");
const folder = makeTestFolder();
const entry = join(folder, "deploy/image/parley.mjs");
let database: Pick<TestDatabase, "url" | "release">;
let variables: Record<string, string>;

/** Runs a role that ends by itself, with nothing of the checkout but Node.js. */
function run(args: string[], env = variables) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

beforeAll(async () => {
  execFileSync("npm", ["run", "collect", folder], { cwd: repository, stdio: "pipe" });
  execFileSync("chmod", ["-R", "a-w", folder]); // As the image's file system.
  database = await createEmptyDatabase();
  variables = {
    DATABASE_URL: database.url,
    PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
    SHUTDOWN_DELAY_MS: "0",
    LOG_LEVEL: "warn",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", // Loads OpenTelemetry, also without a collector.
  };
});
afterAll(async () => {
  execFileSync("chmod", ["-R", "u+w", folder]);
  await database.release();
});

test("the image has all files that the roles need", async () => {
  const migrated = run(["migrate"]);
  expect([migrated.status, migrated.stderr]).toEqual([0, ""]);
  expect(migrated.stdout).toMatch(/^Applied migration \d+_initial$/m);
  expect(run(["migrate"]).stdout).toBe("The database is up to date.\n");
  expect(run(["admin", "organizations", "create", "--name", "Umbrella", "--plan", "pro"]).status).toBe(0);

  const [port, metricsPort] = [String(await freePort()), String(await freePort())];
  const [url, metricsUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${metricsPort}`];
  const start = (role: string, env: Record<string, string>, ready: string) =>
    startServerProcess({
      command: [process.execPath, entry, role],
      cwd: folder,
      env: { ...variables, ...env },
      isReady: () => respondsOk(`${ready}/readyz`),
    });
  const api = await start("api", { PORT: port }, url);
  const worker = await start("worker", { METRICS_PORT: metricsPort }, metricsUrl);
  const receiver = createServer((_request, response) => response.end());
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  try {
    for (const path of ["/docs/", "/docs/reference/", "/docs/llms.txt", "/sdk.tgz", "/cli.tgz", "/console"]) {
      expect([path, await respondsOk(url + path)]).toEqual([path, true]);
    }
    const health = join(folder, "deploy/image/check-health.mjs");
    const check = (role: string, env: Record<string, string>) =>
      spawnSync(process.execPath, [health, `parley.mjs ${role}`], { env }).status;
    expect(check("api", { PORT: port, METRICS_PORT: "1" })).toBe(0);
    expect(check("worker", { PORT: "1", METRICS_PORT: metricsPort })).toBe(0);
    expect(check("api", { PORT: "1", METRICS_PORT: metricsPort })).not.toBe(0);
    expect(check("migrate", { PORT: "1", METRICS_PORT: "1" })).toBe(0);

    const client = await connect(database.url);
    const { token } = await createTenant(client, { plan: "pro" });
    await client.end();
    const target_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const delivered = once(receiver, "request");
    const call = (path: string, body: object) =>
      fetch(`${url}/api/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const subscribed = await call("/webhooks/subscribe", { target_url, event_types: ["lead.created"] });
    const { data } = (await subscribed.json()) as { data: { id: string } };
    await call(`/webhooks/${data.id}/test`, {});
    const [{ headers }] = await delivered;
    expect(headers["x-parley-event"]).toBe("lead.created");
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);
  }
}, 180_000);

test("a wrong role prints the roles", () => {
  const { status, stderr } = run(["toString"]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^Unknown role 'toString'\. Roles:\n {2}api /);
});
