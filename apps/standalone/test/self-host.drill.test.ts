/** Follows the guide "Self-host Parley": its variables, its programs and its accounts. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { samples } from "@parley/docs/chapters";
import { freePort } from "@parley/testing/free-port";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startScript } from "./spawned.ts";

const cwd = join(import.meta.dirname, "../../..");
const [variables = "", programs = "", accounts = ""] = samples
  .filter(({ chapter }) => chapter === "self-host")
  .map(({ code }) => code);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.release());

/** Returns what `sh` prints. */
const run = (commands: string, env: NodeJS.ProcessEnv, input = "") =>
  execFileSync("sh", ["-euc", commands], { cwd, env, input, encoding: "utf8" });

test("starts the server, and creates an organization, its admin and a platform key", async () => {
  const exported = run(`${variables}\nenv -0`, { PATH: process.env["PATH"] }).split("\0").filter(Boolean);
  const env: Record<string, string> = Object.fromEntries(exported.map((line) => line.split(/=(.*)/s)));
  const port = await freePort();
  const changed = { ...env, DATABASE_URL: database.url, PORT: `${port}`, SHUTDOWN_DELAY_MS: "0" };

  const files = [...programs.matchAll(/^node_modules\/\.bin\/node (\S+)$/gm)].map(([, file = ""]) => file);
  const [api, worker] = files.map((file) => startScript(file, changed));
  onTestFinished(async () => {
    for (const program of [api, worker]) await program?.stop();
  });
  await api?.output(/Server listening at/);
  await worker?.output(/delivery worker started/);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);

  const [organization = "", user = "", key = ""] = accounts.trim().split("\n");
  const [id = ""] = /(?<=^id\s+)\S+/m.exec(run(organization, changed)) ?? [];
  const created = run(
    `${user.replace("<id>", id)} --password-stdin`,
    changed,
    "correct horse battery staple\n",
  );
  expect(created).toMatch(/^role\s+admin$/m);
  expect(run(key, changed)).toMatch(/^sha256\s+[0-9a-f]{64}$/m);
});
