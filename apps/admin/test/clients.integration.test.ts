import { hashToken } from "@parley/database";
import { useTestDatabase } from "@parley/database/testing";
import { expect, test } from "vitest";
import { type Outcome, runInProcess } from "../src/testing/command-line.ts";

const database = useTestDatabase();

const run = (...args: string[]): Promise<Outcome> =>
  runInProcess({ DATABASE_URL: database.url }, ["clients", ...args]);

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const uri = "https://app.example.com/callback";
const create = () => json("create", "--name", "Sheets", "--redirect-uri", uri);
const hashesOf = async (clientId: string) =>
  (await database.db.oAuthClientSecret.findMany({ where: { clientId }, orderBy: { createdAt: "asc" } })).map(
    ({ secretHash }) => Buffer.from(secretHash).toString("hex"),
  );
const hash = (secret: string) => Buffer.from(hashToken(secret)).toString("hex");

test("creates a client with several redirect URIs, shows, updates and deletes it", async () => {
  const text = await run(
    "create",
    "--name",
    "Zap",
    "--redirect-uri",
    uri,
    "--redirect-uri",
    "http://127.0.0.1/cb",
  );
  const [, id = ""] = /^client id +(parley_ci_[0-9a-f]{24})$/m.exec(text.stdout) ?? [];
  const [, secret = ""] = /^client secret +(parley_cs_\S{43})$/m.exec(text.stdout) ?? [];
  expect(text.stdout).toContain("not shown again");
  expect(await hashesOf(id)).toEqual([hash(secret)]);

  const shown = await run("show", id);
  expect(shown.stdout).toContain(`${uri} http://127.0.0.1/cb`);
  expect(shown.stdout).toContain(`…${secret.slice(-4)}`);
  expect(shown.stdout).not.toContain(secret);

  expect(await json("update", id, "--name", "Zapier", "--redirect-uri", "com.example.zap:/cb")).toMatchObject(
    {
      name: "Zapier",
      redirect_uris: ["com.example.zap:/cb"],
    },
  );
  expect((await run("update", id)).stderr).toContain("--name or --redirect-uri");
  expect((await run("list")).stdout).toMatch(/^parley_ci_\S+ {2}Zapier +confidential +all +com/m);
  const asked = await run("delete", id);
  expect([asked.code, asked.stdout]).toEqual([2, ""]);
  expect(asked.stderr).toContain("This would delete the app Zapier and revoke 0 grants. Add --yes");
  expect(await json("delete", id, "--yes")).toEqual({ client_id: id, deleted: true });
  expect(await run("show", id)).toEqual({
    code: 1,
    stdout: "",
    stderr: `error: No client ${id} exists. List them: parley-admin clients list\n`,
  });

  const log = await database.db.auditEntry.findMany({ where: { clientId: id }, orderBy: { id: "asc" } });
  expect(log.map(({ event }) => event)).toEqual(["client.created", "client.updated", "client.deleted"]);
  expect(log[1]?.details).toMatchObject({ name: "Zapier", redirect_uris: ["com.example.zap:/cb"] });
  expect(JSON.stringify(log)).not.toContain(secret);
});

test("a public client has no secret", async () => {
  const client = await json("create", "--name", "Desktop", "--public", "--redirect-uri", "http://[::1]/cb");
  expect(client).toMatchObject({ public: true, organization_id: null });
  expect(client).not.toHaveProperty("client_secret");
  expect(await hashesOf(client.client_id)).toEqual([]);
  const refused = await run("rotate-secret", client.client_id);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    "error: rotate-secret: A public client has no secret.\n",
  ]);
});

test("keeps two secrets valid during a rotation, and never three", async () => {
  const { client_id: id, client_secret: first } = await create();
  const rotated = await json("rotate-secret", id, "--old-valid-for", "2h");
  const second = rotated.client_secret;
  expect(await hashesOf(id)).toEqual([hash(first), hash(second)]);
  const inHours = (Date.parse(rotated.old_secret_expires_at) - Date.now()) / 3_600_000;
  expect(inHours).toBeGreaterThan(1.9);
  expect(inHours).toBeLessThan(2);

  const refused = await run("rotate-secret", id);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`The old secret (…${first.slice(-4)}) is valid until 20`);
  expect(refused.stderr).toContain("See parley-admin clients remove-old-secret --help.");
  expect(await json("remove-old-secret", id)).toEqual({ client_id: id, removed: 1 });
  expect(await json("remove-old-secret", id)).toEqual({ client_id: id, removed: 0 });
  expect(await hashesOf(id)).toEqual([hash(second)]);

  const third = await json("rotate-secret", id, "--old-valid-for", "0");
  expect(third.old_secret_expires_at).toBeNull();
  expect(await hashesOf(id)).toEqual([hash(third.client_secret)]);
  const log = await database.db.auditEntry.findMany({ where: { clientId: id }, orderBy: { id: "asc" } });
  expect(log.map(({ event }) => event)).toEqual([
    "client.created",
    "client.secret_rotated",
    "client.secret_removed",
    "client.secret_rotated",
  ]);
});

test("a client of an organization belongs to this organization", async () => {
  const { id } = await database.db.organization.create({ data: { name: "Umbrella" } });
  const client = await json("create", "--name", "Own", "--redirect-uri", uri, "--organization", id);
  expect(client.organization_id).toBe(id);
  expect(await json("list", "--organization", id)).toHaveLength(1);
  const nowhere = "0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b";
  const refused = await run("create", "--name", "Own", "--redirect-uri", uri, "--organization", nowhere);
  expect(refused.stderr).toBe(`error: --organization: No organization ${nowhere} exists.\n`);
  const listed = await run("list", "--organization", nowhere);
  expect([listed.code, listed.stderr]).toEqual([
    1,
    `error: No organization ${nowhere} exists. List them: parley-admin organizations list\n`,
  ]);
});

test("names rejected values and says what is accepted", async () => {
  const refused = await run("create", "--name", "", "--redirect-uri", "http://app.example.com/cb");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toBe(
    "error: --name: A name is required.\n" +
      "error: --redirect-uri: The redirect URI http://app.example.com/cb must use https. http is only for apps on the user's device: 127.0.0.1, [::1] or localhost.\n",
  );
  expect((await run("create", "--name", "X")).stderr).toContain("'--redirect-uri <uri>' not specified");
  const { stderr } = await run("rotate-secret", "x", "--old-valid-for", "soon");
  expect(stderr).toContain("--old-valid-for <duration>' argument 'soon' is invalid");
  expect(stderr).toContain("24h");
  expect(await database.db.oAuthClient.count({ where: { name: "" } })).toBe(0);
});
