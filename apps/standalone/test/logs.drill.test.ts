import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, databaseAddress, hashToken, unencryptedWarnings } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { createSecretBox, createSigningSecret } from "@parley/webhooks";
import { respondingWith, startReceiver } from "@parley/webhooks/testing";
import { expect, test } from "vitest";
import { startScript } from "./spawned.ts";

const repository = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(repository, "docs/operating/logs.md"), "utf8");

/** Rows of the tables of messages: level and message. */
const documented = [...guide.matchAll(/^\| (info|warn|error) \| `(.+?)` \|/gm)].map(
  ([, level = "", message = ""]) => `${level} ${message}`,
);
const fields = new Set(
  [...guide.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  ),
);

/** Messages of Fastify, which are not in the sources. */
const ofFastify = ["info Server listening at …", "info incoming request", "info request completed"];

/** Messages that the database package returns, and that both programs log. */
const ofDatabase = unencryptedWarnings(
  databaseAddress({ DATABASE_URL: "postgresql://parley@db.example.com/parley" }),
).map((text) => `warn ${text.replace("db.example.com (DATABASE_URL)", "… (…)")}`);

/** Returns the level and the message of each call of a logger in the sources. Values in the message are `…`. */
function messagesInSources(): Set<string> {
  const files = globSync(
    ["{apps,packages}/{api,worker,webhooks,erasure,database,monitoring,config}/src/**/*.ts"],
    {
      cwd: repository,
      exclude: ["**/*.test.ts", "**/testing/**", "**/generated/**"],
    },
  );
  const call =
    /\b(?:log|#log)\.(info|warn|error)\(\s*(?:(?:\{[^}]*\}|details),\s*)?("(?:[^"\\]|\\.)*"|`[^`]*`)/g;
  const calls = files.flatMap((file) => [...readFileSync(join(repository, file), "utf8").matchAll(call)]);
  return new Set(
    calls.map(
      ([, level = "", literal = ""]) => `${level} ${literal.slice(1, -1).replace(/\$\{[^}]*\}/g, "…")}`,
    ),
  );
}

test("docs/operating/logs.md has each message of the sources, and no others", () => {
  const found = messagesInSources();
  expect(found.size).toBeGreaterThan(35);
  expect([...new Set(documented)].sort()).toEqual([...found, ...ofFastify, ...ofDatabase].sort());
});

test("each logger call is found", () => {
  const calls = globSync(
    "{apps,packages}/{api,worker,webhooks,erasure,database,monitoring,config}/src/**/*.ts",
    {
      cwd: repository,
      exclude: ["**/*.test.ts", "**/testing/**", "**/generated/**"],
    },
  ).flatMap((file) =>
    [
      ...readFileSync(join(repository, file), "utf8").matchAll(
        /\b(?:log|#log)\.(?:info|warn|error)\((?!warning\))/g,
      ),
    ].map(() => file),
  );
  // One message is logged in three places.
  expect(calls.length - messagesInSources().size).toBe(2);
});

test("the lines of running programs have only documented fields and messages", async () => {
  const database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 2 });
  const receiver = await startReceiver(respondingWith(500));
  const key = Buffer.alloc(32, 1);
  const { id: organizationId } = await db.organization.create({ data: { name: "Logged", plan: "pro" } });
  await db.subscription.create({
    data: {
      organizationId,
      eventTypes: ["*"],
      targetUrl: receiver.url,
      secret: createSecretBox(key).encrypt(createSigningSecret(), organizationId),
      queue: { create: {} },
    },
  });
  const variables = {
    DATABASE_URL: database.url,
    PARLEY_ENCRYPTION_KEY: key.toString("base64"),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
  };
  const platformKey = "parley_pk_logged";
  const api = startScript("apps/api/src/main.mjs", {
    ...variables,
    PORT: "0",
    SHUTDOWN_DELAY_MS: "0",
    PUBLIC_URL: "http://parley.example",
    PLATFORM_KEY_HASHES: Buffer.from(hashToken(platformKey)).toString("hex"),
  });
  const worker = startScript("apps/worker/src/main.mjs", { ...variables, DELIVERY_MAX_FAILURES: "1" });
  const [, url = ""] = await api.output(/Server listening at (http:\/\/[^"]+)/);
  await worker.output(/delivery worker started/);
  const platform = `${url}/api/platform/v1/organizations/${organizationId}`;
  const headers = { authorization: `Bearer ${platformKey}`, "content-type": "application/json" };
  const put = async (path: string, body: object) =>
    (await fetch(platform + path, { method: "PUT", headers, body: JSON.stringify(body) })).status;
  expect(await put("/chatbots/bot", { name: "Bot", model: "m" })).toBe(200);
  expect(await put("/leads/lead", { chatbot_external_id: "bot", contact: {} })).toBe(200);
  await worker.output(/subscription failed; nothing is sent/);
  await db.$executeRaw`ALTER TABLE leads RENAME TO moved`;
  expect(await put("/leads/other", { chatbot_external_id: "bot", contact: {} })).toBe(500);
  for (const path of ["/healthz", "/readyz", "/healthz?from=proxy"]) await fetch(url + path);
  await api.stop();
  await worker.stop();
  await receiver.close();
  await db.$disconnect();
  await database.release();

  const lines = (api.text() + worker.text())
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { level: number; msg: string; req?: { path: string } });
  const paths = lines.flatMap(({ req }) => (req ? [req.path] : []));
  expect(paths).toContain(`/api/platform/v1/organizations/${organizationId}/leads/lead`);
  expect(paths.filter((path) => path.endsWith("z"))).toEqual([]);
  expect(new Set(lines.map(({ level }) => level))).toEqual(new Set([30, 40, 50]));
  expect(lines.flatMap((line) => Object.keys(line)).filter((name) => !fields.has(name))).toEqual([]);
  expect(lines.filter(({ msg, level }) => !isDocumented(level, msg))).toEqual([]);
});

const levels: Record<number, string> = { 30: "info", 40: "warn", 50: "error" };

function isDocumented(level: number, message: string): boolean {
  return documented.some((entry) => {
    const pattern = entry.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${pattern.join(".*")}`).test(`${levels[level]} ${message}`);
  });
}
