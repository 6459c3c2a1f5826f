import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { applyMigrations, recordAudit, verifyPassword } from "@parley/database";
import { useTestDatabase } from "@parley/database/testing";
import { startPostgres } from "@parley/embedded-postgres";
import { makeTestFolder } from "@parley/testing/test-folder";
import { expect, test } from "vitest";
import { program, runInProcess, runProgram } from "../src/testing/command-line.ts";

const database = useTestDatabase();

test("the program reads standard input, prints results to stdout and errors to stderr, and returns an exit code", async () => {
  const environment = { DATABASE_URL: database.url };
  const { id: organizationId } = await database.db.organization.create({
    data: { name: "Umbrella", plan: "pro" },
  });
  const user = ["--email", "process@umbrella.example", "--name", "Ada Novak", "--password-stdin"];
  const args = ["users", "create", "--organization", organizationId, ...user];
  const password = "a long enough password";
  const created = await runProgram(environment, [...args, "--json"], `${password}\n`);
  expect([created.code, created.stderr]).toEqual([0, ""]);
  const { id } = JSON.parse(created.stdout);
  const { passwordHash } = await database.db.user.findUniqueOrThrow({ where: { id } });
  expect(await verifyPassword(password, passwordHash)).toBe(true);
  expect(await runProgram(environment, args, password)).toEqual({
    code: 2,
    stdout: "",
    stderr: "error: --email: A user with the email process@umbrella.example already exists.\n",
  });
});

test("--follow prints new entries, each once", async () => {
  await recordAudit(database.db, { event: "client.created" });
  await recordAudit(database.db, { event: "client.deleted" });
  const args = ["audit", "--follow", "--json", "--limit", "1"];
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, DATABASE_URL: database.url },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "null")?.event;
  expect(await next()).toBe("client.deleted");
  await recordAudit(database.db, { event: "user.signed_in" });
  expect(await next()).toBe("user.signed_in");
  await recordAudit(database.db, { event: "user.signed_out" });
  expect(await next()).toBe("user.signed_out");
  child.kill("SIGTERM");
  await once(child, "close");
  expect(await lines.next()).toMatchObject({ done: true });
});

test("npx parley-admin works in a checkout", () => {
  const repository = join(import.meta.dirname, "../../..");
  const output = execFileSync("npx", ["parley-admin", "--help"], { cwd: repository, encoding: "utf8" });
  expect(output).toContain("Usage: parley-admin [options] [command]");
});

test("finds the database of the server that is running on DATA_DIR", async () => {
  const folder = makeTestFolder();
  const postgres = await startPostgres({ dataDir: folder, durable: false });
  const environment = { DATA_DIR: folder };
  const early = await runInProcess(environment, ["organizations", "list"]);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("Start the Parley server once")]);
  await applyMigrations(postgres.url);
  const found = await runInProcess(environment, ["organizations", "list"]);
  expect([found.code, found.stdout]).toEqual([0, expect.stringContaining("No organizations.")]);
  await postgres.stop();
  const gone = await runInProcess(environment, ["organizations", "list"]);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining(`data folder ${folder}`)]);
});
