import { createDatabase, type Database, hashToken, verifyPassword } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Outcome, parley } from "./parley.ts";

vi.setConfig({ testTimeout: 120_000 }); // Each line typed is a process that starts.

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const run = (words: string[], input?: string): Promise<Outcome> =>
  parley({ DATABASE_URL: database.url }, words, input);

async function json(words: string[], input?: string) {
  const { code, stdout, stderr } = await run([...words, "--json"], input);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const password = "a long enough password";

async function organization(name = "Umbrella", plan = "pro"): Promise<string> {
  return (await json(["organizations", "create", "--name", name, "--plan", plan])).id;
}

function newUser(organizationId: string, email: string): string[] {
  const whose = ["--organization", organizationId];
  return ["users", "create", ...whose, "--email", email, "--name", "Ada Novak", "--password-stdin"];
}

/** The events of an organization in their order, with what they tell. */
async function audited(organizationId: string | null) {
  const rows = await db.auditEntry.findMany({ where: { organizationId }, orderBy: { id: "asc" } });
  return rows.map(({ event, details }) => [event, details]);
}

describe("organizations", () => {
  test("are created, listed, put on another plan and deleted, and the audit log tells of it", async () => {
    const id = await organization("Rise & Shine", "starter");
    expect((await run(["organizations", "list"])).stdout).toMatch(
      new RegExp(`^${id} {2}Rise & Shine +starter +20\\S+ \\S+Z +0 +0$`, "m"),
    );
    expect(await json(["organizations", "set-plan", id, "business"])).toMatchObject({ plan: "business" });

    const asked = await run(["organizations", "delete", id]);
    expect([asked.code, asked.stdout]).toEqual([2, ""]);
    expect(asked.stderr).toContain("This would delete Rise & Shine with 0 users");
    expect(asked.stderr).toContain("--yes");
    expect(await json(["organizations", "delete", id, "--yes"])).toEqual({ id, deleted: true });
    expect((await run(["organizations", "delete", id, "--yes"])).stderr).toBe(
      `error: There is no organization ${id}.\n`,
    );
    const operator = expect.any(String);
    expect(await audited(id)).toEqual([
      ["organization.created", { operator, name: "Rise & Shine", plan: "starter" }],
      ["organization.plan_changed", { operator, plan: "business", plan_before: "starter" }],
      ["organization.deleted", { operator, name: "Rise & Shine" }],
    ]);
  });

  test.each([
    [
      ["--name", "X", "--plan", "gold"],
      "plan: There is no plan gold; the plans are free, starter, pro, business.",
    ],
    [["--name", " ", "--plan", "pro"], "--name: A name is needed."],
    [["--name", "a\u202Eb", "--plan", "pro"], "--name: The name holds characters that cannot be shown."],
  ])("%j is refused", async (words, problem) => {
    expect(await run(["organizations", "create", ...words])).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: ${problem}\n`,
    });
  });
});

describe("users", () => {
  test("are created, get another password and are deleted", async () => {
    const organizationId = await organization();
    const created = await json(
      [...newUser(organizationId, "Ada@Umbrella.example"), "--admin"],
      `${password}\n`,
    );
    expect(created).toMatchObject({ email: "ada@umbrella.example", role: "admin" });
    const stored = await db.user.findUniqueOrThrow({ where: { id: created.id } });
    expect(await verifyPassword(password, stored.passwordHash)).toBe(true);
    expect((await run(["users", "list", "--organization", organizationId])).stdout).toContain(
      "ada@umbrella.example  Ada Novak  admin",
    );

    const session = { tokenHash: hashToken("session"), expiresAt: new Date(Date.now() + 1e6) };
    await db.userSession.create({ data: { ...session, userId: created.id } });
    await json(
      ["users", "set-password", "ADA@umbrella.example", "--password-stdin"],
      "another good password",
    );
    expect(await db.userSession.count({ where: { userId: created.id } })).toBe(0);
    const changed = await db.user.findUniqueOrThrow({ where: { id: created.id } });
    expect(await verifyPassword("another good password", changed.passwordHash)).toBe(true);

    const deleted = await run(["users", "delete", created.id]);
    expect(deleted).toEqual({ code: 0, stdout: "The user ada@umbrella.example is deleted.\n", stderr: "" });
    const log = await audited(organizationId);
    expect(log.map(([event]) => event)).toEqual([
      "organization.created",
      "user.created",
      "user.password_changed",
      "user.deleted",
    ]);
    expect(JSON.stringify(log)).not.toContain('password"');
  });

  test("are refused with the argument's name", async () => {
    const organizationId = await organization();
    await json(newUser(organizationId, "taken@umbrella.example"), password);
    const nowhere = "0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b";
    const stderr = async (words: string[], input: string) => (await run(words, input)).stderr;
    expect(await stderr(newUser(organizationId, "new@umbrella.example"), "short")).toBe(
      "error: the password: The password has fewer than 12 characters.\n",
    );
    expect(await stderr(newUser(organizationId, "new"), password)).toBe(
      "error: --email: The email is not an email address.\n",
    );
    expect(await stderr(newUser(nowhere, "taken@umbrella.example"), password)).toBe(
      `error: --organization: There is no organization ${nowhere}.\n` +
        "error: --email: There is a user taken@umbrella.example already.\n",
    );
    expect(await stderr(newUser("Umbrella", "x@y.example"), password)).toContain("parley organizations list");
    const piped = newUser(organizationId, "new@umbrella.example").slice(0, -1);
    expect(await stderr(piped, password)).toContain("add --password-stdin");
  });
});

describe("grants", () => {
  test("are listed and revoked once", async () => {
    const organizationId = await organization();
    const user = await json(newUser(organizationId, "grants@umbrella.example"), password);
    const client = await json([
      "clients",
      "create",
      "--name",
      "Sheets",
      "--redirect-uri",
      "https://a.example/",
    ]);
    const { id } = await db.oAuthGrant.create({
      data: { organizationId, userId: user.id, clientId: client.client_id, scopes: ["leads:read"] },
    });
    expect(await json(["grants", "list", "--organization", organizationId])).toEqual([
      {
        id,
        organization_id: organizationId,
        user: { id: user.id, email: "grants@umbrella.example" },
        client: { client_id: client.client_id, name: "Sheets" },
        scopes: ["leads:read"],
        created_at: expect.any(String),
        last_used_at: null,
      },
    ]);
    expect(await json(["grants", "revoke", id])).toEqual({ id, revoked: true });
    expect(await json(["grants", "revoke", id])).toEqual({ id, revoked: false });
    expect((await run(["grants", "list", "--organization", organizationId])).stdout).toBe(
      "No app has access.\n",
    );
    expect((await audited(organizationId)).at(-1)).toEqual([
      "grant.revoked",
      { operator: expect.any(String), reason: "operator_request" },
    ]);
  });
});
