import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createPool } from "@parley/database";
import { makeTestFolder } from "@parley/testing/test-folder";
import { expect, test, vi } from "vitest";
import { startEmbeddedDatabase } from "../src/embedded-database.ts";

test("restarts a killed PostgreSQL at the same address, with its data", async () => {
  const folder = makeTestFolder();
  const reports: string[] = [];
  const database = await startEmbeddedDatabase(folder, (message) => reports.push(message));
  const pool = createPool(database.url, { poolSize: 1 });
  await pool.query("CREATE TABLE kept AS SELECT 42 AS answer");

  const pidFile = join(folder, "postgres/cluster/postmaster.pid");
  process.kill(Number(readFileSync(pidFile, "utf8").split("\n")[0]), "SIGKILL");
  // The open connection can outlive the server briefly, so wait for the restart report first.
  await vi.waitFor(() => expect(reports).toEqual(["PostgreSQL ended unexpectedly; restarting it"]), 60_000);
  await vi.waitFor(
    async () => expect((await pool.query("SELECT answer FROM kept")).rows).toEqual([{ answer: 42 }]),
    { timeout: 60_000, interval: 100 },
  );

  await pool.end();
  await database.stop();
  expect(reports).toHaveLength(1);
});

test("leaves no server behind if stopped during a restart", async () => {
  const folder = makeTestFolder();
  const reports: string[] = [];
  const database = await startEmbeddedDatabase(folder, (message) => reports.push(message));
  const pidFile = join(folder, "postgres/cluster/postmaster.pid");
  process.kill(Number(readFileSync(pidFile, "utf8").split("\n")[0]), "SIGKILL");
  await vi.waitFor(() => expect(reports).toHaveLength(1), { timeout: 60_000, interval: 1 });
  await database.stop();
  expect(existsSync(pidFile)).toBe(false);
});
