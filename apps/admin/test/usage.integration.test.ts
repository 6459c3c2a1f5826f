import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { auditEvents } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { makeTestFolder } from "@parley/testing/test-folder";
import { expect, test, vi } from "vitest";
import { operatorName } from "../src/operator-name.ts";
import { createProgram } from "../src/program.ts";
import { runInProcess } from "../src/testing/command-line.ts";

/** Returns a command and all its subcommands. */
function withDescendants(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}
const commands = withDescendants(createProgram()).map((command) => ({ command, name: pathOf(command) }));

function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

test("has all documented commands", () => {
  expect(commands.map(({ name }) => name).join()).toBe(
    `parley-admin,${[
      ["organizations", "create", "list", "set-plan", "delete"],
      ["users", "create", "list", "update", "set-password", "delete"],
      ["clients", "create", "list", "show", "update", "delete", "rotate-secret", "remove-old-secret"],
      ["grants", "list", "revoke"],
      ["audit"],
      ["platform-key", "create"],
      ["counts", "verify", "repair"],
      ["migrate"],
      ["erase"],
    ]
      .flatMap(([group, ...rest]) => [
        `parley-admin ${group}`,
        ...rest.map((name) => `parley-admin ${group} ${name}`),
      ])
      .join()}`,
  );
});

test.each(commands)("$name --help prints the usage with an example", ({ command, name }) => {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => written.push(text) }).outputHelp();
  const help = written.join("");
  expect(help).toContain(`Usage: ${name}`);
  expect(help).toMatch(/Examples:\n {2}parley-admin /);
});

/** Returns the commands and options in a line of the documentation that do not exist. */
function mistakesIn(line: string): string[] {
  const args = line.split(/\s+/).slice(1);
  const command = args.reduce<CommandUnknownOpts>(
    (level, word) => level.commands.find((sub) => sub.name() === word) ?? level,
    createProgram() as CommandUnknownOpts,
  );
  const known = ["--help", ...command.options.map(({ long }) => long)];
  const unknown = args.filter((word) => word.startsWith("--") && !known.includes(word));
  return command.commands.length > 0
    ? [`${line} is no command`]
    : unknown.map((option) => `${line}: ${option}`);
}

const guide = readFileSync(join(import.meta.dirname, "../../../docs/operating.md"), "utf8");

test("docs/operating.md and the examples use existing commands and options", () => {
  const lines = [...guide.matchAll(/npx (parley-admin [a-z][^`\n]*)/g)].map(([, line = ""]) => line);
  expect(lines.length).toBeGreaterThan(10);
  const examples = commands.flatMap(({ command }) => {
    const written: string[] = [];
    command.configureOutput({ writeOut: (text) => written.push(text) }).outputHelp();
    return [...written.join("").matchAll(/^ {2}(?:pass \S+ \| )?(parley-admin .*)$/gm)].map(
      ([, line = ""]) => line,
    );
  });
  expect([...lines, ...examples].flatMap(mistakesIn)).toEqual([]);
});

test("docs/operating.md has a row for each event of the audit log", () => {
  const table = /\| Event \| Recorded when \|\n([\s\S]*?)\n\n/.exec(guide)?.[1] ?? "";
  const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/[a-z_]+\.[a-z_]+/g) ?? [],
  );
  expect(named.sort()).toEqual([...auditEvents].sort());
});

test("--help succeeds", async () => {
  const { code, stdout, stderr } = await runInProcess({}, ["clients", "create", "--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("--redirect-uri <uri>");
});

test.each([
  [[], "Usage: parley-admin [options] [command]"],
  [["--nothing"], "Usage: parley-admin [options] [command]"],
  [["clients"], "Usage: parley-admin clients"],
  [["client"], "Did you mean clients?"],
  [["clients", "lst"], "Did you mean list?"],
  [["clients", "list", "--jsn"], "Did you mean --json?"],
  [["clients", "list", "--jsn"], "Usage: parley-admin clients list [options]"],
  [["clients", "show"], "missing required argument 'id'"],
  [["clients", "list", "more"], "too many arguments"],
  [["grants", "revoke", "1"], "parley-admin grants list"],
  [["audit", "--since", "yesterday"], "2026-03-01T09:00:00Z"],
  [["audit", "--limit", "0"], "from 1 to 99999"],
  [["audit", "--event", "client.create"], "client.created, client.updated"],
  [["audit", "--event", "clients.*"], "a group like client.*"],
])("exits with 2 for %j", async (args, hint) => {
  const { code, stdout, stderr } = await runInProcess({ DATA_DIR: "/nowhere" }, args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(hint);
});

test("without a database, prints how to set one", async () => {
  const { code, stderr } = await runInProcess({ DATA_DIR: "/nowhere" }, ["clients", "list"]);
  expect(code).toBe(1);
  expect(stderr).toContain("no Parley server is running on the data folder /nowhere");
  expect(stderr).toContain("npm start");
  const wrong = await runInProcess({ DATABASE_URL: "mysql://x" }, ["clients", "list"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("postgresql://")]);
  const away = await runInProcess({ DATABASE_URL: "postgresql://x:y@127.0.0.1:9/z" }, ["clients", "list"]);
  expect([away.code, away.stderr]).toEqual([1, expect.stringContaining("does not respond")]);
});

test("reads the URL of the database from a file", async () => {
  const folder = makeTestFolder();
  const file = join(folder, "database-url");
  const database = await createTestDatabase();
  writeFileSync(file, `${database.url}\n`);
  const found = await runInProcess({ DATABASE_URL_FILE: file }, ["organizations", "list"]);
  await database.release();
  expect([found.code, found.stderr]).toEqual([0, ""]);
  const missing = await runInProcess({ DATABASE_URL_FILE: `${file}.old` }, ["organizations", "list"]);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining(`DATABASE_URL_FILE cannot be used: it does not exist (${file}.old).`),
  ]);
});

test("creates a platform key with its hash, without a database", async () => {
  const { stdout } = await runInProcess({}, ["platform-key", "create", "--json"]);
  const { platform_key: key, sha256 } = JSON.parse(stdout);
  expect(key).toMatch(/^parley_pk_[0-9a-f]{64}$/);
  expect(sha256).toBe(createHash("sha256").update(key).digest("hex"));
});

test("with sudo, also records the account that runs it", () => {
  const { username } = userInfo();
  vi.stubEnv("SUDO_USER", "");
  expect(operatorName()).toBe(username);
  vi.stubEnv("SUDO_USER", "ada");
  expect(operatorName()).toBe(`${username} (sudo by ada)`);
  vi.unstubAllEnvs();
});
