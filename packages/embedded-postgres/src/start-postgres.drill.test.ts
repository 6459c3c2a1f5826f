import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeTestFolder } from "@parley/testing/test-folder";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { commandLine } from "./process-table.ts";
import { startPostgres } from "./start-postgres.ts";

const folder = makeTestFolder();
// The tests share a cluster, because creating one is slow.
const dataDir = join(folder, "first");
const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };

const start = (dataDir: string, options = {}) => startPostgres({ dataDir, durable: false, ...options });

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a separate process with a server on the folder. */
async function holdServer(
  dataDir: string,
  user = {},
): Promise<{ parent: ChildProcess; url: string; pid: number }> {
  const script = join(import.meta.dirname, "fixtures/hold-server.ts");
  const parent = spawn(process.execPath, [script, dataDir], {
    ...user,
    cwd: "/",
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (parent.stdout === null) throw new Error("no stdout");
  const [line] = (await once(createInterface(parent.stdout), "line")) as [string];
  return { parent, url: (JSON.parse(line) as { url: string }).url, pid: serverPid(dataDir) };
}

const serverPid = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, "postgres/cluster/postmaster.pid"), "utf8"), 10);

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

describe("a server", () => {
  it("starts, keeps its data after a restart and is durable by default", async () => {
    const cold = await startPostgres({ dataDir });
    expect(await query(cold.url, "SHOW fsync")).toEqual([{ fsync: "on" }]);
    await query(cold.url, "CREATE TABLE kept AS SELECT 'ÄÖ' AS value");
    await cold.stop();
    await cold.stop();
    await expect(query(cold.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");

    const warm = await start(dataDir);
    expect(
      await query(
        warm.url,
        "SELECT value, lower(value), current_setting('server_encoding') AS code FROM kept",
      ),
    ).toEqual([{ value: "ÄÖ", lower: "äö", code: "UTF8" }]);
    await warm.stop();
  });

  it("rejects other users, other machines and wrong passwords", async () => {
    const server = await start(dataDir);
    const wrong = new URL(server.url);
    wrong.password = "wrong";
    await expect(query(wrong.href, "SELECT 1")).rejects.toThrow("password authentication failed");
    expect(
      await query(server.url, "SELECT name, setting FROM pg_settings WHERE name ~ 'listen_a|unix_socket_d'"),
    ).toEqual([
      { name: "listen_addresses", setting: "127.0.0.1" },
      { name: "unix_socket_directories", setting: "" },
    ]);
    expect(await query(server.url, "SELECT DISTINCT auth_method FROM pg_hba_file_rules")).toEqual([
      { auth_method: "scram-sha-256" },
    ]);
    expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "postgres/password")).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it("uses the given port, or reports why it cannot", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(start(dataDir, { port })).rejects.toThrow("Address already in use");
    other.close();
    const server = await start(dataDir, { port });
    expect(new URL(server.url).port).toBe(String(port));
    await server.stop();
  });

  it("passes the lines of the server's log to the caller", async () => {
    const lines: string[] = [];
    const server = await start(dataDir, { log: (line: string) => lines.push(line) });
    await server.stop();
    expect(lines.join("\n")).toContain("listening on IPv4 address");
  });
});

describe("two programs on one folder", () => {
  it("get an error with each other's process IDs", async () => {
    const { parent, pid } = await holdServer(dataDir);
    await expect(start(dataDir)).rejects.toThrow(
      `The data folder ${dataDir}/postgres is in use: process ${parent.pid} runs a PostgreSQL server on it (process ${pid})`,
    );
    await killed(parent);
  });

  it("can start at the same time: one of them wins", async () => {
    const race = join(folder, "race");
    const results = await Promise.allSettled([start(race), start(race)]);
    const winner = results.find((result) => result.status === "fulfilled");
    const loser = results.find((result) => result.status === "rejected");
    expect(String(loser?.reason)).toContain("is in use");
    await winner?.value.stop();
  });
});

describe("a program that is killed", () => {
  it("ends its server too", async () => {
    const { parent, pid } = await holdServer(dataDir);
    await killed(parent);
    await expect.poll(() => commandLine(pid), { timeout: 60_000 }).toBe("");
  });

  it("may leave an orphaned server, which the next start stops", async () => {
    const { parent, url, pid } = await holdServer(dataDir);
    await query(url, "CREATE TABLE left_over AS SELECT 1 AS value");
    // A suspended server cannot end with its parent.
    process.kill(pid, "SIGSTOP");
    await killed(parent);
    const next = start(dataDir);
    await expect.poll(() => commandLine(pid)).not.toBe("");
    process.kill(pid, "SIGCONT");
    const server = await next;
    expect(await query(server.url, "SELECT value FROM left_over")).toEqual([{ value: 1 }]);
    await server.stop();
  });

  it("may leave a stale process ID that belongs to another process now", async () => {
    const { parent, pid } = await holdServer(dataDir);
    process.kill(pid, "SIGKILL");
    await killed(parent);
    await expect.poll(() => commandLine(pid)).toBe("");
    const file = join(dataDir, "postgres/cluster/postmaster.pid");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(process.pid)));
    const server = await start(dataDir);
    await server.stop();
  });
});

describe.runIf(isRoot)("root", () => {
  it("runs the server as an ordinary user, in a folder that this user cannot access", async () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o700 });
    const server = await start(join(closed, "data"));
    expect(statSync(join(closed, "data/postgres/cluster/PG_VERSION")).uid).not.toBe(0);
    expect(await query(server.url, "SELECT pg_reload_conf(), 1 AS one")).toEqual([
      { pg_reload_conf: true, one: 1 },
    ]);
    await server.stop();
  });

  it("runs it as the owner of the folder, who can use it without root afterwards", async () => {
    const shared = join(folder, "shared");
    mkdirSync(shared);
    chownSync(shared, nobody.uid, nobody.gid);
    chmodSync(folder, 0o711);
    await (await start(shared)).stop();
    const { parent, url } = await holdServer(shared, nobody);
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await killed(parent);
  });

  it("leaves files for which another user gets an error", async () => {
    chmodSync(dataDir, 0o777);
    const script = join(import.meta.dirname, "fixtures/hold-server.ts");
    const child = spawn(process.execPath, [script, dataDir], { ...nobody, cwd: "/" });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk));
    await once(child, "close");
    expect(output).toContain("belongs to another user");
  });
});
