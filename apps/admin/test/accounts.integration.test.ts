import { randomBytes } from "node:crypto";
import { hashToken, verifyPassword } from "@parley/database";
import { useTestDatabase } from "@parley/database/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { type Outcome, runInProcess } from "../src/testing/command-line.ts";

const database = useTestDatabase();

const run = (args: string[], input?: string): Promise<Outcome> =>
  runInProcess({ DATABASE_URL: database.url }, args, input);

async function json(args: string[], input?: string) {
  const { code, stdout, stderr } = await run([...args, "--json"], input);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const password = "a long enough password";
/** Parameters of scrypt that make a stolen hash expensive to guess. */
const slowHash = /^scrypt\$16384\$8\$5\$/;

async function organization(name = "Umbrella", plan = "pro"): Promise<string> {
  return (await json(["organizations", "create", "--name", name, "--plan", plan])).id;
}

function newUser(organizationId: string, email: string): string[] {
  const whose = ["--organization", organizationId];
  return ["users", "create", ...whose, "--email", email, "--name", "Ada Novak", "--password-stdin"];
}

/** Creates a user without a password, which takes less time than the command. */
async function createUser(organizationId: string, email: string): Promise<string> {
  const data = { organizationId, email, name: "Ada Novak", passwordHash: "none" };
  return (await database.db.user.create({ data })).id;
}

/** The events of an organization in their order, with what they tell. */
async function audited(organizationId: string | null) {
  const rows = await database.db.auditEntry.findMany({ where: { organizationId }, orderBy: { id: "asc" } });
  return rows.map(({ event, details }) => [event, details]);
}

describe("organizations", () => {
  test("are created, listed, changed to another plan and deleted, and the audit log records each change", async () => {
    const id = await organization("Rise & Shine", "starter");
    expect((await run(["organizations", "list"])).stdout).toMatch(
      new RegExp(`^${id} {2}Rise & Shine +starter +20\\S+ \\S+Z +0 +0$`, "m"),
    );
    expect(await json(["organizations", "set-plan", id, "business"])).toMatchObject({ plan: "business" });

    const asked = await run(["organizations", "delete", id]);
    expect([asked.code, asked.stdout]).toEqual([2, ""]);
    expect(asked.stderr).toContain("This would permanently delete Rise & Shine with 0 users");
    expect(asked.stderr).toContain("--yes");
    expect(await json(["organizations", "delete", id, "--yes"])).toEqual({ id, deleted: true });
    expect((await run(["organizations", "delete", id, "--yes"])).stderr).toBe(
      `error: No organization ${id} exists. List them: parley-admin organizations list\n`,
    );
    const operator = expect.any(String);
    expect(await audited(id)).toEqual([
      ["organization.created", { operator, name: "Rise & Shine", plan: "starter" }],
      ["organization.plan_changed", { operator, plan: "business", plan_before: "starter" }],
      ["organization.deleted", { operator, name: "Rise & Shine" }],
    ]);
  });

  test("are listed while their deletion is not complete", async () => {
    const id = await organization("Half gone");
    await database.db.organization.update({ where: { id }, data: { deletionStartedAt: new Date() } });
    expect((await run(["organizations", "list"])).stdout).toContain(
      `${id}  Half gone (deletion not finished)  pro`,
    );
    expect(await json(["organizations", "list"])).toContainEqual(
      expect.objectContaining({ id, deletion_started_at: expect.any(String) }),
    );
  });

  test.each([
    [["--name", " ", "--plan", "pro"], "--name: A name is required."],
    [
      ["--name", "a\u202Eb", "--plan", "pro"],
      "--name: The name must not contain control or invisible characters.",
    ],
  ])("%j is rejected", async (args, problem) => {
    expect(await run(["organizations", "create", ...args])).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: ${problem}\n`,
    });
  });

  test("an unknown plan is rejected with its argument", async () => {
    const id = await organization();
    const created = await run(["organizations", "create", "--name", "X", "--plan", "gold"]);
    const changed = await run(["organizations", "set-plan", id, "gold"]);
    for (const { code, stderr } of [created, changed]) {
      expect([code, stderr]).toEqual([2, expect.stringContaining("free, starter, pro, business")]);
    }
    expect(created.stderr).toContain("'--plan <plan>'");
    expect(changed.stderr).toContain("'plan'");
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
    const stored = await database.db.user.findUniqueOrThrow({ where: { id: created.id } });
    expect(stored.passwordHash).toMatch(slowHash);
    expect(await verifyPassword(password, stored.passwordHash)).toBe(true);
    expect((await run(["users", "list", "--organization", organizationId])).stdout).toContain(
      "ada@umbrella.example  Ada Novak  admin",
    );

    const session = { tokenHash: hashToken("session"), expiresAt: new Date(Date.now() + 1e6) };
    await database.db.userSession.create({ data: { ...session, userId: created.id } });
    await json(
      ["users", "set-password", "ADA@umbrella.example", "--password-stdin"],
      "another good password",
    );
    expect(await database.db.userSession.count({ where: { userId: created.id } })).toBe(0);
    const changed = await database.db.user.findUniqueOrThrow({ where: { id: created.id } });
    expect(changed.passwordHash).toMatch(slowHash);
    expect(await verifyPassword("another good password", changed.passwordHash)).toBe(true);

    const asked = await run(["users", "delete", created.id]);
    expect([asked.code, asked.stdout]).toEqual([2, ""]);
    expect(asked.stderr).toContain("This would delete ada@umbrella.example and revoke 0 grants. Add --yes");
    const deleted = await run(["users", "delete", created.id, "--yes"]);
    expect(deleted).toEqual({ code: 0, stdout: "Deleted user ada@umbrella.example.\n", stderr: "" });
    const log = await audited(organizationId);
    expect(log.map(([event]) => event)).toEqual([
      "organization.created",
      "user.created",
      "user.password_changed",
      "user.deleted",
    ]);
    expect(JSON.stringify(log)).not.toContain('password"');
  });

  test("become admins and then members again, and the audit log records both changes", async () => {
    const organizationId = await organization();
    const id = await createUser(organizationId, "role@umbrella.example");
    expect(await json(["users", "update", "role@umbrella.example", "--role", "admin"])).toMatchObject({
      id,
      role: "admin",
    });
    expect((await database.db.user.findUniqueOrThrow({ where: { id } })).role).toBe("admin");
    expect(await json(["users", "update", id, "--role", "member"])).toMatchObject({ role: "member" });
    const refused = await run(["users", "update", id, "--role", "owner"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("member, admin")]);
    const operator = expect.any(String);
    expect((await audited(organizationId)).slice(-2)).toEqual([
      ["user.role_changed", { operator, role: "admin", role_before: "member" }],
      ["user.role_changed", { operator, role: "member", role_before: "admin" }],
    ]);
  });

  test("are rejected with the argument's name", async () => {
    const organizationId = await organization();
    await createUser(organizationId, "taken@umbrella.example");
    const nowhere = "0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b";
    const stderr = async (args: string[], input: string) => (await run(args, input)).stderr;
    expect(await stderr(newUser(organizationId, "new@umbrella.example"), "short")).toBe(
      "error: the password: The password must have at least 12 characters.\n",
    );
    expect(await stderr(newUser(organizationId, "new"), password)).toBe(
      "error: --email: The email must be an email address.\n",
    );
    expect(await stderr(newUser(nowhere, "taken@umbrella.example"), password)).toBe(
      `error: --organization: No organization ${nowhere} exists.\n` +
        "error: --email: A user with the email taken@umbrella.example already exists.\n",
    );
    expect(await stderr(newUser("Umbrella", "x@y.example"), password)).toContain(
      "parley-admin organizations list",
    );
    const piped = newUser(organizationId, "new@umbrella.example").slice(0, -1);
    expect(await stderr(piped, password)).toContain("add --password-stdin");
  });
});

describe("grants", () => {
  let organizationId: string;
  let zapier: string;
  let sheets: string;
  let people: Record<"ada" | "bob", string>;
  beforeAll(async () => {
    organizationId = await organization();
    const user = (name: string) => createUser(organizationId, `${name}@grants.example`);
    people = { ada: await user("ada"), bob: await user("bob") };
    const client = async (name: string) =>
      (await json(["clients", "create", "--name", name, "--redirect-uri", "https://a.example/"])).client_id;
    [zapier, sheets] = [await client("Zapier"), await client("Sheets")];
  });

  async function grant(userId: string, clientId: string, expiresAt?: Date): Promise<string> {
    const token = { tokenHash: randomBytes(32), kind: "access", expiresAt: expiresAt ?? new Date() };
    const { id } = await database.db.oAuthGrant.create({
      data: { organizationId, userId, clientId, scopes: [], tokens: { create: expiresAt ? token : [] } },
    });
    return id;
  }
  const later = () => new Date(Date.now() + 3_600_000);
  const idsOf = async (...args: string[]) =>
    (await json(["grants", "list", ...args])).map(({ id }: { id: string }) => id);

  test("are listed and revoked once", async () => {
    const id = await grant(people.ada, sheets, later());
    expect(await json(["grants", "list", "--organization", organizationId])).toEqual([
      {
        id,
        organization_id: organizationId,
        user: { id: people.ada, email: "ada@grants.example" },
        client: { client_id: sheets, name: "Sheets" },
        scopes: [],
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

  test("without tokens or with expired tokens are not active", async () => {
    await grant(people.ada, sheets);
    await grant(people.ada, sheets, new Date(Date.now() - 1_000));
    expect(await idsOf("--user", "ada@grants.example")).toEqual([]);
    expect(await json(["clients", "show", sheets])).toMatchObject({ grants: 0 });
  });

  test("are selected by user and by app, and revoked together", async () => {
    const [ada, adaToo, bob] = [
      await grant(people.ada, zapier, later()),
      await grant(people.ada, sheets, later()),
      await grant(people.bob, zapier, later()),
    ];
    const unused = await grant(people.bob, zapier);
    expect(await idsOf("--user", "Ada@grants.example")).toEqual([ada, adaToo]);
    expect(await idsOf("--client", zapier)).toEqual([ada, bob]);
    expect(await idsOf("--client", zapier, "--user", people.bob)).toEqual([bob]);

    const asked = await run(["grants", "revoke", "--client", zapier]);
    expect(asked).toEqual({
      code: 2,
      stdout: "",
      stderr: "error: This would revoke 3 grants. Add --yes to confirm.\n",
    });
    expect(await json(["grants", "revoke", "--client", zapier, "--yes"])).toEqual({ revoked: 3 });
    expect(await json(["grants", "revoke", "--client", zapier, "--yes"])).toEqual({ revoked: 0 });
    expect(await idsOf()).toEqual([adaToo]);
    const ended = await database.db.auditEntry.findMany({
      where: { event: "grant.revoked", clientId: zapier },
    });
    expect(new Set(ended.map(({ grantId }) => grantId))).toEqual(new Set([ada, bob, unused]));
    for (const { details, ...entry } of ended) {
      expect(details).toEqual({ operator: expect.any(String), reason: "operator_request" });
      expect(entry).toMatchObject({ organizationId, clientId: zapier });
    }
  });

  test("are revoked with a new password only on request", async () => {
    const id = await grant(people.bob, sheets, later());
    const args = ["users", "set-password", "bob@grants.example", "--password-stdin"];
    await json(args, password);
    expect(await idsOf("--user", people.bob)).toEqual([id]);
    await json([...args, "--revoke-access"], password);
    expect(await idsOf("--user", people.bob)).toEqual([]);
    expect((await audited(organizationId)).slice(-2)).toEqual([
      ["user.password_changed", { operator: expect.any(String) }],
      ["grant.revoked", { operator: expect.any(String), reason: "password_changed" }],
    ]);
  });

  test("are not revoked without a filter, nor by ID and filter together", async () => {
    const hint = expect.stringContaining("Give either one grant ID, or one or more of --user");
    for (const args of [[], [people.ada, "--client", zapier]]) {
      const { code, stderr } = await run(["grants", "revoke", ...args, "--yes"]);
      expect([code, stderr]).toEqual([2, hint]);
    }
  });

  test.each([
    ["--user", "nobody@grants.example", "user"],
    ["--client", "parley_ci_none", "client"],
    ["--organization", "0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b", "organization"],
  ])("reports an error for %s with an unknown account", async (option, value, kind) => {
    const refused = await run(["grants", "list", option, value]);
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: No ${kind} ${value} exists. List them: parley-admin ${kind}s list\n`,
    });
  });
});

describe("counts", () => {
  test("are verified and repaired", async () => {
    const organizationId = await organization();
    const chatbot = await database.db.chatbot.create({ data: { organizationId, name: "Bot", model: "any" } });
    expect((await run(["counts", "verify"])).stdout).toBe("All counts are right.\n");
    await database.db.recordCountChange.deleteMany({ where: { organizationId } });
    const wrong = {
      organization_id: organizationId,
      kind: "chatbots",
      status: chatbot.status,
      records: 1,
      count: 0,
    };
    const verified = await run(["counts", "verify", "--json"]);
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([1, [expect.objectContaining(wrong)]]);
    expect(verified.stderr).toContain("parley-admin counts repair");
    expect(await json(["counts", "repair"])).toEqual([expect.objectContaining(wrong)]);
    expect((await run(["counts", "verify"])).code).toBe(0);
  });
});

describe("webhooks that were created with an access", () => {
  const enabled = async (organizationId: string) => {
    const where = { organizationId, enabled: true };
    const rows = await database.db.subscription.findMany({ where, orderBy: { targetUrl: "asc" } });
    return rows.map(({ targetUrl }) => targetUrl.split("/").at(-1));
  };

  /** Creates a user with an app, and a webhook of each: `app` of both, `console` of the user without an app, `other` of no one. */
  async function prepare() {
    const organizationId = await organization();
    const email = `${organizationId}@webhooks.example`;
    const userId = await createUser(organizationId, email);
    const clientId = `app-${organizationId}`;
    await database.db.oAuthClient.create({ data: { id: clientId, name: "App", organizationId } });
    const grant = await database.db.oAuthGrant.create({
      data: { organizationId, userId, clientId, scopes: ["webhooks:manage"] },
    });
    const creators = { app: { userId, clientId }, console: { userId }, other: {} };
    for (const [name, creator] of Object.entries(creators)) {
      const targetUrl = `https://hooks.example.com/${name}`;
      const row = { ...creator, organizationId, targetUrl, eventTypes: ["*"], secret: Buffer.alloc(1) };
      await database.db.subscription.create({ data: { ...row, queue: { create: {} } } });
    }
    return { organizationId, email, clientId, grantId: grant.id };
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>;

  test.each<[name: string, args: (of: Prepared) => string[], listed: string[], disabled: string[]]>([
    ["users delete", ({ email }) => ["users", "delete", email], ["app", "console"], []],
    [
      "users delete --webhooks disable",
      ({ email }) => ["users", "delete", email, "--webhooks", "disable"],
      ["app", "console"],
      ["app", "console"],
    ],
    ["clients delete", ({ clientId }) => ["clients", "delete", clientId], ["app"], ["app"]],
    [
      "clients delete --webhooks keep",
      ({ clientId }) => ["clients", "delete", clientId, "--webhooks", "keep"],
      ["app"],
      [],
    ],
    ["grants revoke --user", ({ email }) => ["grants", "revoke", "--user", email], ["app"], ["app"]],
    [
      "grants revoke --organization",
      ({ organizationId }) => ["grants", "revoke", "--organization", organizationId],
      ["app"],
      ["app"],
    ],
  ])("%s lists them, and then keeps or disables them", async (_name, args, listed, disabled) => {
    const prepared = await prepare();
    const asked = await run(args(prepared));
    expect(asked.code).toBe(2);
    expect(asked.stderr.match(/hooks\.example\.com\/\w+/g)).toEqual(
      listed.map((name) => `hooks.example.com/${name}`),
    );
    expect(asked.stderr).toContain(disabled.length > 0 ? "It would disable these" : "It would keep these");
    expect(await enabled(prepared.organizationId)).toEqual(["app", "console", "other"]);
    await json([...args(prepared), "--yes"]);
    expect(await enabled(prepared.organizationId)).toEqual(
      ["app", "console", "other"].filter((name) => !disabled.includes(name)),
    );
  });

  test("grants revoke with an ID disables those of the app and the user", async () => {
    const { organizationId, grantId } = await prepare();
    await json(["grants", "revoke", grantId]);
    expect(await enabled(organizationId)).toEqual(["console", "other"]);
    const events = (await audited(organizationId)).filter(([event]) => event === "webhook.updated");
    expect(events).toEqual([
      [
        "webhook.updated",
        expect.objectContaining({ host: "hooks.example.com", operator: expect.any(String) }),
      ],
    ]);
  });
});
