import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createDatabase, type Database, verifyPassword } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { program } from "../src/testing/command-line.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Runs a program in a pseudoterminal. */
const script = "/usr/bin/script";
const possible = process.platform === "linux" && existsSync(script);
if (!possible) console.warn("skipped: there is no script(1) of util-linux on this machine");

describe.skipIf(!possible)("on a terminal", () => {
  let database: TestDatabase;
  let db: Database;
  let userId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, { poolSize: 1 });
    const user = { email: "ada@umbrella.example", name: "Ada", passwordHash: "none" };
    const { users } = await db.organization.create({
      data: { name: "Umbrella", users: { create: user } },
      include: { users: true },
    });
    userId = users[0]?.id ?? "";
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.release();
  });

  /** Types a line at each prompt of `users set-password`, and returns the output of the terminal. */
  async function answer(...answers: string[]) {
    const command = `'${process.execPath}' '${program}' users set-password ada@umbrella.example`;
    const env = { ...process.env, DATABASE_URL: database.url };
    const child = spawn(script, ["-qec", command, "/dev/null"], { env });
    let shown = "";
    child.stdout.on("data", (chunk) => {
      shown += String(chunk);
      if (/([Pp]assword): $/.test(shown)) child.stdin.write(`${answers.shift()}\r`);
    });
    await once(child, "close");
    return { code: child.exitCode, shown };
  }
  const hash = async () => (await db.user.findUniqueOrThrow({ where: { id: userId } })).passwordHash;

  test("prompts twice for the password and never shows it", async () => {
    const { code, shown } = await answer("typed on a terminal", "typed on a terminal");
    expect(shown).not.toContain("typed");
    expect(code).toBe(0);
    expect(await verifyPassword("typed on a terminal", await hash())).toBe(true);
  });

  test("changes nothing if the passwords differ or after Ctrl-C", async () => {
    const before = await hash();
    const differing = await answer("typed on a terminal", "typed otherwise here");
    expect([differing.code, differing.shown]).toEqual([
      2,
      expect.stringContaining("The two passwords differ."),
    ]);
    const ended = await answer("\u0003");
    expect([ended.code, ended.shown]).toEqual([1, "Password: \r\nerror: Nothing was changed.\r\n"]);
    expect(await hash()).toBe(before);
  });
});
