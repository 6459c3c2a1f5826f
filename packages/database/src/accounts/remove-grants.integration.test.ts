import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../client.ts";
import { hashToken } from "../credentials.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { deleteClient } from "./clients.ts";
import { removeGrants } from "./grants.ts";
import { deleteUser } from "./users.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 4, transactionTimeoutMs: 1_500 });
  await db.organization.create({ data: { name: "Acme" } });
});
afterAll(async () => {
  await db.$disconnect();
  await database.release();
});

const by = { operator: "root" };

/** Creates a user and an app with a number of grants and tokens. */
async function createClientWithGrants(name: string, grants: number, tokens: number) {
  const { id: organizationId } = await db.organization.findFirstOrThrow();
  const email = `${name}@example.com`;
  const { id: userId } = await db.user.create({
    data: { organizationId, email, name, passwordHash: "none" },
  });
  await db.oAuthClient.create({ data: { id: name, name } });
  const scopes: string[] = [];
  for (let grant = 0; grant < grants; grant += 1) {
    const { id: grantId } = await db.oAuthGrant.create({
      data: { organizationId, userId, clientId: name, scopes },
    });
    await db.oAuthToken.createMany({
      data: Array.from({ length: tokens }, (_, token) => ({
        tokenHash: hashToken(`${name} ${grant} ${token}`),
        kind: "access",
        grantId,
        scopes,
        expiresAt: new Date(Date.now() + 3_600_000),
      })),
    });
  }
  return {
    userId,
    clientId: name,
    left: () => db.oAuthToken.count({ where: { grant: { clientId: name } } }),
  };
}

test.each(["clientId", "userId"] as const)(
  "removes the grants of one %s in batches, and keeps the grants of others",
  async (key) => {
    const gone = await createClientWithGrants(`gone by ${key}`, 3, 4);
    const kept = await createClientWithGrants(`kept by ${key}`, 1, 2);
    const whose = key === "clientId" ? { clientId: gone.clientId } : { userId: gone.userId };
    await removeGrants(db, whose, 2);
    expect([await gone.left(), await db.oAuthGrant.count({ where: whose })]).toEqual([0, 0]);
    expect(await kept.left()).toBe(2);
  },
);

/** The trigger simulates the time that millions of tokens take. */
test("deletes an app and a user whose tokens take longer than a transaction's timeout, and rejects them immediately", async () => {
  const [ofApp, ofUser] = [
    await createClientWithGrants("slow-app", 1, 1),
    await createClientWithGrants("slow-user", 1, 1),
  ];
  await db.$executeRaw`
    CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1.8); RETURN OLD; END $$`;
  await db.$executeRaw`CREATE TRIGGER slow BEFORE DELETE ON oauth_tokens FOR EACH ROW EXECUTE FUNCTION sleep()`;
  const where = { clientId: { in: [ofApp.clientId, ofUser.clientId] } };
  const deleted = Promise.all([deleteClient(db, ofApp.clientId, by), deleteUser(db, ofUser.userId, by)]);
  const active = () => db.oAuthGrant.count({ where: { ...where, revokedAt: null } });
  await expect.poll(active, { timeout: 60_000, interval: 10 }).toBe(0);
  expect(await db.oAuthGrant.count({ where })).toBe(2);
  await deleted;
  expect(await db.oAuthGrant.count({ where })).toBe(0);
  expect(await db.oAuthClient.count({ where: { id: ofApp.clientId } })).toBe(0);
  expect(await db.user.count({ where: { id: ofUser.userId } })).toBe(0);
});
