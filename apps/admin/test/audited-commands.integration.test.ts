import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { createDatabase } from "@parley/database";
import { createEmptyDatabase, useTestDatabase } from "@parley/database/testing";
import { expect, test } from "vitest";
import { createProgram } from "../src/program.ts";
import { runInProcess } from "../src/testing/command-line.ts";

const database = useTestDatabase();

/** Commands that change nothing in the database. */
const reading = [
  "organizations list",
  "users list",
  "clients list",
  "clients show",
  "grants list",
  "audit",
  "counts verify",
  "platform-key create",
];

const email = "ada@umbrella.example";
const password = "a long enough password";

interface Ids {
  organization: string;
  client: string;
}

/** Every other command with the events that it records. Later commands use the records of earlier ones. */
const changing: [command: string, args: (ids: Ids) => string[], events: string[]][] = [
  ["organizations create", () => ["--name", "Umbrella", "--plan", "pro"], ["organization.created"]],
  ["organizations set-plan", ({ organization }) => [organization, "business"], ["organization.plan_changed"]],
  [
    "users create",
    ({ organization }) => [
      ...["--organization", organization, "--email", email, "--name", "Ada", "--password-stdin"],
    ],
    ["user.created"],
  ],
  ["users update", () => [email, "--role", "admin"], ["user.role_changed"]],
  ["users set-password", () => [email, "--password-stdin"], ["user.password_changed"]],
  [
    "clients create",
    () => ["--name", "Zapier", "--redirect-uri", "https://zapier.example/return"],
    ["client.created"],
  ],
  ["clients update", ({ client }) => [client, "--name", "Zapier 2"], ["client.updated"]],
  ["clients rotate-secret", ({ client }) => [client], ["client.secret_rotated"]],
  ["clients remove-old-secret", ({ client }) => [client], ["client.secret_removed"]],
  ["grants revoke", () => ["--user", email, "--yes"], ["grant.revoked"]],
  [
    "erase",
    ({ organization }) => ["--organization", organization, "--email", email, "--yes", "--no-wait"],
    ["erasure.requested"],
  ],
  ["counts repair", () => [], ["counts.repaired"]],
  ["clients delete", ({ client }) => [client, "--yes"], ["client.deleted"]],
  ["users delete", () => [email, "--yes"], ["user.deleted"]],
  ["organizations delete", ({ organization }) => [organization, "--yes"], ["organization.deleted"]],
];

function commandsOf(command: CommandUnknownOpts, path = ""): string[] {
  if (command.commands.length === 0) return [path];
  return command.commands.flatMap((sub) => commandsOf(sub, `${path} ${sub.name()}`.trim()));
}

test("every command is known to change the database, or not to", () => {
  const known = [...reading, "migrate", ...changing.map(([command]) => command)];
  const all = commandsOf(createProgram() as CommandUnknownOpts);
  expect(all.toSorted((a, b) => a.localeCompare(b))).toEqual(known.toSorted((a, b) => a.localeCompare(b)));
});

test("every command that changes the database is in the audit log, with the operator", async () => {
  const ids = { organization: "", client: "" };
  for (const [command, args, events] of changing) {
    if (command === "grants revoke") await createGrant(ids);
    if (command === "counts repair") await database.db.recordCountChange.deleteMany();
    const before = await database.db.auditEntry.count();
    const commandLine = [...command.split(" "), ...args(ids), "--json"];
    const { code, stdout, stderr } = await runInProcess(
      { DATABASE_URL: database.url },
      commandLine,
      password,
    );
    expect([command, code, stderr]).toEqual([command, 0, ""]);
    if (command === "organizations create") ids.organization = JSON.parse(stdout).id;
    if (command === "clients create") ids.client = JSON.parse(stdout).id ?? JSON.parse(stdout).client_id;
    const added = await database.db.auditEntry.findMany({ orderBy: { id: "asc" }, skip: before });
    const operator = expect.objectContaining({ operator: expect.any(String) });
    expect([command, added.map(({ event, details }) => [event, details])]).toEqual([
      command,
      events.map((event) => [event, operator]),
    ]);
  }
}, 60_000);

test("migrations are in the audit log, with the operator and their names", async () => {
  const empty = await createEmptyDatabase();
  const client = createDatabase(empty.url, { poolSize: 1 });
  const migrate = () => runInProcess({ DATABASE_URL: empty.url }, ["migrate", "--json"]);
  const { applied } = JSON.parse((await migrate()).stdout);
  expect(applied.length).toBeGreaterThan(0);
  expect(JSON.parse((await migrate()).stdout)).toEqual({ applied: [] });
  const entries = await client.auditEntry.findMany();
  await client.$disconnect();
  await empty.release();
  expect(entries.map(({ event, details }) => [event, details])).toEqual([
    ["database.migrated", { operator: expect.any(String), migrations: applied }],
  ]);
});

/** Gives the app access, and creates a chatbot, which is counted. */
async function createGrant({ organization: organizationId, client: clientId }: Ids): Promise<void> {
  const { id: userId } = await database.db.user.findFirstOrThrow({ where: { organizationId } });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = { tokenHash: Buffer.alloc(32, 1), kind: "refresh", scopes: ["leads:read"], expiresAt };
  const tokens = { create: token };
  await database.db.oAuthGrant.create({
    data: { organizationId, userId, clientId, scopes: ["leads:read"], tokens },
  });
  await database.db.chatbot.create({ data: { organizationId, name: "Bot", model: "any" } });
}
