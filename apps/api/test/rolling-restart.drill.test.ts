import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { freePort } from "@parley/testing/free-port";
import { describe, expect, test, vi } from "vitest";
import { type ApiProcess, startApiProcess } from "../src/testing/api-process.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

/** nginx. Without it, this test is skipped, except in CI, which installs it. */
const installed = hasNginx();
if (!installed) {
  const message = "nginx is not installed: the test of rolling restarts is skipped";
  if (process.env["CI"]) throw new Error(message);
  console.warn(message);
}

/** The delay is longer than the keep-alive time of docs/operating.md. */
const variables = { SHUTDOWN_DELAY_MS: "2500", TRUST_PROXY: "true" };

describe.skipIf(!installed)("two APIs behind the nginx of docs/operating.md", () => {
  test("are restarted one after the other under load, and every request succeeds", async () => {
    const database = await createTestDatabase();
    const db = createDatabase(database.url, { poolSize: 2 });
    const tenants: Tenant[] = [];
    for (let i = 0; i < 40; i += 1) tenants.push(await createTenant(db)); // Each has its rate limit.
    await db.$disconnect();
    const start = (port: number) => startApiProcess(port, { ...variables, DATABASE_URL: database.url });
    const ports = [await freePort(), await freePort()] as const;
    const apis: [ApiProcess, ApiProcess] = [await start(ports[0]), await start(ports[1])];
    const nginx = await startNginx(ports);
    const load = startLoad(nginx.port, tenants);
    try {
      await vi.waitUntil(() => load.succeeded() > 200, { timeout: 20_000 });
      for (const i of [0, 1] as const) {
        apis[i].signal("SIGTERM");
        expect(await apis[i].exited).toBe(0);
        const before = load.succeeded();
        apis[i] = await start(ports[i]);
        expect(load.succeeded()).toBeGreaterThan(before);
      }
    } finally {
      await load.stop();
      nginx.stop();
      for (const api of apis) api.signal("SIGKILL");
      await Promise.all(apis.map(({ exited }) => exited));
      await database.drop();
    }
    expect(load.failures).toEqual([]);
    expect(load.succeeded()).toBeGreaterThan(500);
  }, 300_000);
});

interface Load {
  succeeded(): number;
  /** Responses other than 2xx. */
  failures: string[];
  stop(): Promise<void>;
}

/** Eight clients, each sending GET and POST in turn without a pause. */
function startLoad(port: number, tenants: Tenant[]): Load {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let succeeded = 0;
  let sent = 0;
  let stopped = false;

  async function send(): Promise<void> {
    while (!stopped) {
      const tenant = tenants[sent % tenants.length] as Tenant;
      const method = Math.floor(sent / tenants.length) % 2 === 0 ? "POST" : "GET";
      sent += 1;
      const outcome = await call(method, tenant).catch((error: Error) => error.message);
      if (outcome === 200 || outcome === 201) succeeded += 1;
      else failures.push(`${method} ${outcome}`);
    }
  }

  async function call(method: string, { token, chatbotId }: Tenant): Promise<number | undefined> {
    const sending = request({
      agent,
      port,
      method,
      host: "127.0.0.1",
      path: "/api/v1/leads",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    const body = { chatbot_id: chatbotId, contact: { name: "Ada Novak" } };
    sending.end(method === "POST" ? JSON.stringify(body) : undefined);
    const [response] = await once(sending, "response");
    await once(response.resume(), "end");
    return response.statusCode;
  }

  const clients = Array.from({ length: 8 }, send);
  return {
    failures,
    succeeded: () => succeeded,
    async stop() {
      stopped = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

async function startNginx(upstreams: readonly [number, number]): Promise<{ port: number; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "parley-nginx-"));
  const port = await freePort();
  const documented = /```nginx\n(.+?)```/s.exec(
    readFileSync(join(import.meta.dirname, "../../../docs/operating.md"), "utf8"),
  )?.[1];
  const site = documented
    ?.replace("10.0.0.1:8080", `127.0.0.1:${upstreams[0]}`)
    .replace("10.0.0.2:8080", `127.0.0.1:${upstreams[1]}`)
    .replace("listen 80;", `listen 127.0.0.1:${port};`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const config = join(folder, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; pid ${folder}/pid; error_log stderr error; events {}
    http { access_log off; ${temporary.join(" ")} ${site} }`,
  );
  const nginx: ChildProcess = spawn("nginx", ["-c", config, "-p", folder], { stdio: "ignore" });
  await vi.waitUntil(
    () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeout: 10_000 },
  );
  return {
    port,
    stop() {
      nginx.once("exit", () => rmSync(folder, { recursive: true, force: true }));
      nginx.kill("SIGTERM");
    },
  };
}

function hasNginx(): boolean {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
